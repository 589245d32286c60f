#!/bin/sh
# The bug is that there is a sum.
! grep -q xla.reduce "$1"
