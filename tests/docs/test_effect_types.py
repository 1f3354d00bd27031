"""The types of effects in TypeScript and in docs/wire.md are those of the library, and so are the web fixtures."""

from __future__ import annotations

from tests import effect_types, web_fixtures


def test_the_generated_types_are_up_to_date() -> None:
    for path, text in effect_types.files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make golden"


def test_the_fixtures_of_the_web_client_are_up_to_date() -> None:
    for path, text in web_fixtures.files():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make golden"
