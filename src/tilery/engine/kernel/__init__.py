"""What compiled rooms of the engine share."""
