"""The HTTP endpoints and the middleware in front of them."""
