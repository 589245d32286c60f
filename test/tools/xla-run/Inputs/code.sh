# Runs a command and prints its exit code behind its output: code.sh COMMAND [ARGUMENT..]
"$@" 2>&1
echo "exit $?"
