#!/bin/sh
# A bug that takes long to see.
sleep 0.15
exit 1
