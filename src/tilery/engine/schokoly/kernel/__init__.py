"""Compiled bots, evaluation and searches of Schokoly."""
