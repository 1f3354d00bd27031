"""Fixtures shared by the compatibility tests."""

from tests.server.postgres import database, postgres_server  # noqa: F401
