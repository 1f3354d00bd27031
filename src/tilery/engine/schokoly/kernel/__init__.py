"""Compiled wisdom about Schokoly and compiled search."""
