# The project's own lit tests, on the build that lit.site.cfg.py.in names.
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lit"))
import xlac_lit

xlac_lit.configure(config, lit_config, __file__, name="xlac", exec_root=config.xlac_exec_root,
                   tools_dir=config.xlac_tools_dir, llvm_tools_dir=config.llvm_tools_dir,
                   data=config.xlac_data, python=config.xlac_python)
# A test that names no device is one of what programs mean: `lit --param=device=cpu` takes another.
device = lit_config.params.get("device", "interpreter")
config.environment["XLAC_DEVICE"] = device
if device != "interpreter":
    config.test_exec_root += "-" + device
config.substitutions.append(("%{lit}", f"{sys.executable} {os.path.abspath(sys.argv[0])} {config.xlac_site}"))
# The plugins of pjrt/plugin.h: %{libs}/libxlac_pjrt.so.
config.substitutions.append(("%{libs}", os.path.join(os.path.dirname(config.xlac_tools_dir), "lib")))
# What compiles the project, for code of users.
config.substitutions.append(("%{cxx}", config.xlac_cxx))
# The Python package as it lies in the sources; XLAC_LIBRARY_PATH=%{libs} says where its libraries are.
config.substitutions.append(("%{python-package}", os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "python")))
config.excludes |= {"lit", "unit", "fuzz", "install", "conformance", "bench"}
if "address" in config.xlac_sanitize:
    config.available_features.add("asan")
    # LLVM inside of Mesa's llvmpipe leaks: with Vulkan run the unit tests, which leave out such leaks.
    config.available_features.discard("vulkan")
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]:
        config.environment[variable] = "/nonexistent"
