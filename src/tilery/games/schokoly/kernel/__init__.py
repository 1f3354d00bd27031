"""The compiled rules of Schokoly."""
