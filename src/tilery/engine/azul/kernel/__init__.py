"""Compiled bots, evaluation and searches of Azul."""
