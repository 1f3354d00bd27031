"""docs/protocol.md describes the engine process as it is."""

from __future__ import annotations

import re
from typing import get_args

from tests.docs.transcript import BLOCK, PAGE, current_transcript, queries_of
from tilery.engine import answers, protocol

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_transcript_is_what_the_process_answers() -> None:
    (block,) = BLOCK.findall(TEXT)
    assert len(queries_of(block)) >= 6
    assert current_transcript(block) == block


def test_every_field_and_action_of_the_protocol_is_described() -> None:
    source = (PAGE.parent.parent / "src/tilery/engine/protocol.py").read_text(encoding="utf-8")
    known = set(re.findall(r'fields\.\w+\("(\w+)"', source)) | set(protocol._ACTIONS)
    assert {"id", "maxTime", "priority", "terminateIds", "play"} <= known
    for name in known:
        assert f"`{name}`" in TEXT, name


def test_every_field_of_an_answer_is_described() -> None:
    kinds = (*get_args(answers.Answer), answers.RootInfo, answers.MoveInfo, answers.BotInfo)
    for name in {name for kind in kinds for name in kind.__struct_encode_fields__}:
        assert f"`{name}`" in TEXT, name
