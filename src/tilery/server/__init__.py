"""The server: doors for people and programs, a store that forgets nothing, bots at tables."""
