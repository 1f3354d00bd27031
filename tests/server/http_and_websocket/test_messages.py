"""Invalid messages: what is still read from them."""

from __future__ import annotations

import pytest

from tilery.server.wire import id_in, read_hello
from tilery.table.refusals import TableRefused
from tilery.table.wire import VERSION


def test_the_version_of_a_hello_is_read_whatever_other_fields_it_has() -> None:
    assert read_hello('{"type":"hello","version":99,"something":"new"}').version == 99


@pytest.mark.parametrize(
    "text",
    [f'{{"type":"hello","version":{VERSION},"something":"new"}}', '{"type":"hello","version":"3"}', "[2]", "{"],
)
def test_an_invalid_hello_is_refused(text: str) -> None:
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
def test_the_id_of_an_invalid_command_is_read(text: str, found: str | None) -> None:
    assert id_in(text) == found
