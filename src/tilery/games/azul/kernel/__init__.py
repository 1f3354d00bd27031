"""The rules of Azul on packed rows: one text for all variants and player counts."""
