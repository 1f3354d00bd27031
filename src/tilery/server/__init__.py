"""The table server: HTTP and WebSocket endpoints, the table host, the store, and bots."""
