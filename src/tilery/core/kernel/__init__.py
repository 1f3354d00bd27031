"""Compiled functions that the kernel of any game may use."""
