"""Descriptions and codes of the server that the web client has words for.

A description of a bot that changed on one side only would be shown in English, a code without words as the code.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.playthroughs import GOLDEN, record_of
from tests.variants import EVERY
from tilery.engine.bots import BOTS
from tilery.engine.family import family_of
from tilery.games import GAMES, azul, schokoly

WEB = Path(__file__).parents[2] / "web" / "src"
LABELS = (WEB / "lib" / "labels.ts").read_text("utf-8")
TRANSLATIONS = WEB / "translations" / "en"  # the unit tests compare the other languages with it


def keys_below(prefix: str) -> set[str]:
    """The last parts of the keys that begin with a prefix; the words of an edition count as those of the game."""
    texts = json.loads((TRANSLATIONS / f"{prefix.partition('.')[0]}.json").read_text("utf-8"))
    return {key.removeprefix(prefix).partition(".")[0] for key in texts if key.startswith(prefix)}


def test_every_description_of_a_bot_is_translated() -> None:
    levels = {
        level.about
        for game in GAMES.values()
        for rules in EVERY[game.family]
        for level in family_of(game).levels(rules)
    }
    others = {bot.about for name, bot in BOTS.items() if not name.startswith("level-")}
    _, _, rest = LABELS.partition("const ABOUT: Record<string, string> = {\n")
    known = re.findall(r"^  (?:'([^']+)'|(\w+)): ", rest.partition("\n};")[0], re.M)
    assert {quoted or plain for quoted, plain in known} == levels | others


def test_every_ending_has_words() -> None:
    endings = {code for family in (azul, schokoly) for code in family.view.ENDINGS}
    assert keys_below("play.ended.") == endings - {""} | {"resigned", "time", "draw"}


def test_every_score_item_has_words() -> None:
    ends = [record_of(name).last for name in GOLDEN]
    codes = {item.code for end in ends for item in end.game.breakdown(end.row)}
    assert keys_below("replay.count.") == codes
