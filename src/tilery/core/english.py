"""English for sentences: numbers with their nouns, lists, and verbs that agree with a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

YOU = "You"  # the name of the person who is spoken to


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 game`, `1,000 games`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(words: Sequence[str]) -> str:
    """`a`, `a and b` or `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def agreeing(name: str, verb: str) -> str:
    """A verb as it stands after a name: `takes`, `passes`, but `take` after `You`."""
    if name == YOU:
        return verb
    return f"{verb}es" if verb.endswith("s") else f"{verb}s"


def as_object(name: str) -> str:
    """A name inside a sentence: `you` for the person who is spoken to."""
    return "you" if name == YOU else name


class Clause(NamedTuple):
    """A part of a sentence: who, a verb in the plain form, and the rest.

    With an empty subject it goes on with the sentence before it. Without a verb, the words stand alone. `None` as the
    subject ends the sentence.
    """

    subject: str | None
    verb: str
    words: str


def as_sentences(clauses: Iterable[Clause]) -> list[str]:
    """Sentences without a full stop: clauses that follow each other and have one subject are one sentence, in which
    subject and verb are not repeated."""
    sentences: list[str] = []
    subject: str | None = None
    verb = ""
    for clause in clauses:
        if clause.subject is None:
            subject = None
        elif clause.subject == "" and sentences:
            sentences[-1] += f"; {clause.words}"
            verb = ""
        else:
            is_new = clause.subject != subject
            spoken = agreeing(clause.subject, clause.verb) if clause.verb and (is_new or clause.verb != verb) else ""
            who = clause.subject if is_new and clause.verb else ""
            text = " ".join(filter(None, (who, spoken, clause.words)))
            if is_new:
                sentences.append(text)
            else:
                sentences[-1] += f"; {text}"
            subject, verb = clause.subject, clause.verb
    return sentences
