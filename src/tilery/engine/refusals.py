"""The English sentences for refusals of limits, searches and bots."""

from __future__ import annotations

from tilery.core.sentences import LIBRARY

SENTENCES = LIBRARY.extended(
    {
        # Limits of a search.
        "limit-form": "{text} is not a limit: expected one like 10ms, 1.5s, 500wms, 500n or 4d",
        "limit-twice": "{text} limits {limit} twice",
        "limit-seconds": "expected a number of seconds as the limit of {limit}, not {value}",
        "limit-whole": "expected a whole number as the limit of {limit}, not {value}",
        "limit-positive": "expected a limit of {limit} above 0 and at most 1e12, not {value}",
        # Searches and bots.
        "no-engine": "there is no engine for {game} yet",
        "no-such-search": "{game} has no search {text}: expected {options}",
        "no-such-bot": "there is no bot {text}: expected {options}",
        "no-such-level": "{game} has no level-{level}: its ladder goes from level-1 to level-{levels}",
        "bot-without-limit": "{bot} takes no limit",
        "two-players": "{search} is for two players: use uct for more",
        # Bots at the tables of a server.
        "bot-type": "the name of a bot is a string, not {value}",
        "table-program": "programs cannot play at tables of a server: expected level-1 to level-{levels}, {options}; "
        "or {words} with a limit such as @500ms or @1000n, at most {seconds}s or {nodes}n",
        "table-bot": "no bot {text} plays {game} at a table: expected level-1 to level-{levels}, {options}; "
        "or {words} with a limit such as @500ms or @1000n, at most {seconds}s or {nodes}n",
        "table-limit": "{text} limits neither CPU time nor nodes: expected 500ms or 1000n, "
        "at most {seconds}s or {nodes}n",
        "table-time": "{text} takes too long for a table: expected at most {seconds}s or {nodes}n",
    },
    {},
    {"limit": {"cpu": "CPU time", "time": "wall-clock time", "nodes": "nodes", "depth": "depth"}},
)
