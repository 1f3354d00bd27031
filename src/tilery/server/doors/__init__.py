"""The doors of the server: HTTP, sockets, and who may come in."""
