"""The table host: tables in memory, their ownership, and whatever happens at them without a command."""
