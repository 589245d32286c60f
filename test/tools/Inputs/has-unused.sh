#!/bin/sh
# The bug is that there are a sine and a sum.
! { grep -q xla.sine "$1" && grep -q xla.reduce "$1"; }
