"""Compiled pieces that every game's kernel may use."""
