"""The database behind the server: SQLite or PostgreSQL."""
