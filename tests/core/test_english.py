"""Numbers with nouns, verbs that agree with a name, and clauses joined to sentences."""

from __future__ import annotations

import pytest

from tilery.core.english import Clause, agreeing, as_object, as_sentences, counted, joined


def test_numbers_and_lists() -> None:
    assert [counted(number, "point") for number in (0, 1, 2, 1_000)] == [
        "0 points",
        "1 point",
        "2 points",
        "1,000 points",
    ]
    assert [joined(words) for words in ((), ("a",), ("a", "b"), ("a", "b", "c"))] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(("verb", "other"), [("take", "takes"), ("pass", "passes"), ("play", "plays")])
def test_a_verb_agrees_with_a_name(verb: str, other: str) -> None:
    assert agreeing("Ada", verb) == agreeing("you", verb) == other
    assert agreeing("You", verb) == verb
    assert (as_object("You"), as_object("Ada")) == ("you", "Ada")


def test_clauses_of_one_subject_are_one_sentence() -> None:
    clauses = [
        Clause("Ada", "take", "3 red"),
        Clause("Ada", "take", "the marker"),
        Clause("", "", "1 white goes to the centre"),
        Clause("Ada", "take", "the saucer"),
        Clause("Ada", "lose", "1 point"),
        Clause("You", "tile", "line 1"),
        Clause("Ada", "pass", ""),
        Clause(None, "", ""),
        Clause("Ada", "start", "round 2"),
        Clause("chance", "", "factory 1 gets 4 red"),
        Clause("chance", "", "factory 2 gets 4 blue"),
    ]
    assert as_sentences(clauses) == [
        "Ada takes 3 red; the marker; 1 white goes to the centre; takes the saucer; loses 1 point",
        "You tile line 1",
        "Ada passes",
        "Ada starts round 2",
        "factory 1 gets 4 red; factory 2 gets 4 blue",
    ]
    assert as_sentences([Clause("", "", "points: Ada 0 -> 1")]) == ["points: Ada 0 -> 1"]
