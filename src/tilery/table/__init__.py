"""A table: people and bots who play one game. Commands in, events out, without clock, storage or network."""
