"""The compiled rules of Azul, for all variants and numbers of seats."""
