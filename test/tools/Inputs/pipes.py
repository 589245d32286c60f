# Writes a program to a pipe with a name while a tool reads from it: PIPE COMMAND..
import pathlib
import subprocess
import sys
import threading

program = pathlib.Path(__file__).with_name("pipes.mlir").read_bytes()
failed = []


def write():
    with open(sys.argv[1], "wb", buffering=0) as pipe:
        try:
            pipe.write(program)
        except BrokenPipeError:
            failed.append("the pipe was closed before the program was read")


writer = threading.Thread(target=write, daemon=True)
writer.start()
tool = subprocess.Popen(sys.argv[2:])
writer.join()
if failed:
    tool.kill()
    sys.exit(failed[0])
sys.exit(tool.wait())
