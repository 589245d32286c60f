import subprocess, sys
sys.path.append(subprocess.getoutput("pkg-config --variable=litdir xlac"))
import xlac_lit; xlac_lit.configure(config, lit_config, __file__)
