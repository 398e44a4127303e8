"""Numba kernels: masks and integers in, masks and integers out. No I/O, no strings."""
