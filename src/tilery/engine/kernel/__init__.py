"""Shared by the compiled modules of the engine."""
