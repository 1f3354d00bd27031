"""A table: people and bots who play one game. Commands in, events out; no clock, no store and no network of its own."""
