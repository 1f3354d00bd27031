"""Compiled wisdom about Azul and compiled search."""
