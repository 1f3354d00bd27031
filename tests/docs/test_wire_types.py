"""What is written from the types of the wire is up to date: docs/wire.md, the web client's types and its fixtures."""

from __future__ import annotations

from tests import web_fixtures, wire_types


def test_the_generated_types_are_up_to_date() -> None:
    for path, text in wire_types.files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make golden"


def test_the_fixtures_of_the_web_client_are_up_to_date() -> None:
    texts = dict(web_fixtures.files())
    assert set(web_fixtures.FOLDER.iterdir()) == set(texts)
    for path, text in texts.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make golden"
