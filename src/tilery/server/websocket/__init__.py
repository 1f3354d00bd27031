"""WebSockets: frames, the protocol on top of uvicorn, and the connection of one client to a table."""
