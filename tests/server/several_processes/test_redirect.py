"""A WebSocket that reaches a process which does not own its table is sent to the owner, once."""

from __future__ import annotations

from collections.abc import Callable

from tests.server.http_and_websocket.clients import Person, Tab
from tests.server.several_processes.conftest import NAMES
from tilery.server.websocket.connection import OWNED_ELSEWHERE

OpenTab = Callable[..., Tab]


def test_a_socket_is_sent_to_the_owner(people: list[Person], tabs: OpenTab) -> None:
    anna, ben = people
    for owner, other, process_name in ((anna, ben, NAMES[0]), (ben, anna, NAMES[1])):
        name = anna.make()["table"]  # creating a table does not decide who owns it
        first = tabs(owner, name, query="")
        for _ in range(2):  # also when the table is in memory
            sent_away = tabs(other, name, query="", greet=False)
            sent_away.send(type="hello")
            assert sent_away.end() == (OWNED_ELSEWHERE, process_name)
            served = tabs(other, name, query="?process=" + process_name)
            assert served.welcome["state"]["table"] == name
        assert tabs(owner, name, query="").welcome["state"] == first.welcome["state"]


def test_whoever_names_a_process_stays(people: list[Person], tabs: OpenTab) -> None:
    anna, ben = people
    name = anna.make()["table"]
    tabs(anna, name)
    for query in ("?process=p1", "?process=p2", "?process=", "?process", "?a=b&process=%20"):
        assert tabs(ben, name, query=query).welcome["type"] == "welcome"


def test_a_table_moves_when_its_owner_is_gone(people: list[Person], tabs: OpenTab) -> None:
    """A process that was killed is still taken for the owner for a moment, also by the one that replaces it."""
    anna, ben = people
    name = anna.make()["table"]
    tabs(anna, name, query="")
    anna.server.restart()
    again = tabs(anna, name, query="")  # its name is that of the owner: nobody is sent to himself
    assert again.welcome["type"] == "welcome"
    assert ben.http.post(f"/api/tables/{name}/seat", json={"name": "Ben"}).status_code == 201
