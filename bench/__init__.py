"""Benchmarks of the kernels, the engine, the store, the server and the web client."""
