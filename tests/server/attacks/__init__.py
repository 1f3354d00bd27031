"""Attacks: what one hostile client, or a broken machine, may try, as bounded scripts against the real server."""
