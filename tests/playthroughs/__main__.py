"""`python -m tests.playthroughs` rewrites the golden files; read the diff before you commit it."""

from tests.playthroughs import GOLDEN, golden_file, playthrough

for name in GOLDEN:
    golden_file(name).write_text(playthrough(name), encoding="utf-8")
    print(f"wrote {golden_file(name)}")
