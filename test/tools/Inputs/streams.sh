#!/bin/sh
# streams.sh COMMAND..: its exit codes with standard output closed, without room, and with all standard streams closed.
"$@" >&- 2>/dev/null
closed=$?
"$@" >/dev/full 2>/dev/null
full=$?
"$@" <&- >&- 2>&-
echo "closed $closed, full $full, none $?"
