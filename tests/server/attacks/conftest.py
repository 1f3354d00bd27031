"""A real PostgreSQL."""

from tests.server.postgres import database, postgres_server

__all__ = ["database", "postgres_server"]
