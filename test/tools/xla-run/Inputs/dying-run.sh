#!/bin/bash
# xla-run without Vulkan that dies when it comes to a program kills.mlir, unless that is the only one.
tool=$(dirname "$0")/real-run
kept=()
programs=0
for word in "$@"; do
  case $word in
  --list-devices) echo "no devices" >&2; exit 3 ;;
  *kills.mlir) [ $programs -eq 0 ] && [ "$word" = "${!#}" ] || { "$tool" "${kept[@]}"; kill -KILL $$; } ;;
  -*) ;;
  *) programs=$((programs + 1)) ;;
  esac
  kept+=("$word")
done
exec "$tool" "$@"
