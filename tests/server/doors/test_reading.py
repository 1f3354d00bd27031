"""Messages that cannot be read: what can still be said about them."""

from __future__ import annotations

import pytest

from tilery.server.wire import id_in, read_hello
from tilery.table.refusing import TableRefused


def test_a_hello_of_another_version_is_known_by_its_version_whatever_else_it_says() -> None:
    assert read_hello('{"type":"hello","version":2,"something":"new"}').version == 2


@pytest.mark.parametrize(
    "text",
    ['{"type":"hello","version":1,"something":"new"}', '{"type":"hello","version":"2"}', "[2]", "{"],
)
def test_what_is_no_hello_is_refused(text: str) -> None:
    with pytest.raises(TableRefused):
        read_hello(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"type":"play","id":"x-1"}', "x-1"),
        ('{"id":"x 1"}', None),
        ('{"id":5}', None),
        ('["id"]', None),
        ("{" * 100_000, None),
        ('{"id":"' + "x" * 65 + '"}', None),
    ],
    ids=["a command", "no id", "a number", "a list", "deep", "long"],
)
def test_a_command_that_cannot_be_read_is_answered_by_its_id(text: str, found: str | None) -> None:
    assert id_in(text) == found
