"""The class behind Azul and Azul: Master Chocolatier, and its two instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from tilery.core.effects import Effect
from tilery.core.game import Game, Kernel, ScoreItem, StyledLine
from tilery.core.move import Move
from tilery.core.outcome import Outcome
from tilery.core.refusals import Refused
from tilery.core.text import Reader
from tilery.core.view import ViewChanges

from .board import board_lines, styles_of
from .edition import CERAMIC, CHOCOLATE, CHOCOLATE_1, Edition
from .effect_words import describe_effects, score_changes
from .effects import AzulEffect, effects
from .guide import help_of
from .kernel import entries
from .kernel.layout import MAX_LEGAL, WIDTH
from .move_kinds import AzulMove, group_key, move_of, moves_of
from .moves import moves_by_text, normalise_move, read_move, write_move
from .notation import read_row, write_row
from .refusals import explain_refusal, sentences_of
from .rules import VARIANTS, Rules, normalise_variant, read_rules, rules_of, with_table_limits
from .scoring import breakdown, outcome_of
from .values import AzulView, changes_of, values_of
from .view import ENDINGS, view_of, viewer_of
from .words import describe_move

KERNEL = Kernel(
    name="the rules of Azul",
    width=WIDTH,
    max_legal=MAX_LEGAL,
    setup=entries.setup,
    actor=entries.actor,
    round_number=entries.round_number,
    legal=entries.legal,
    refusal=entries.refusal,
    probabilities=entries.probabilities,
    draw=entries.draw,
    apply=entries.apply,
    replay=entries.replay,
    settle=entries.settle,
    scores=entries.scores,
    result=entries.result,
    hide=entries.hide,
    guess=entries.guess,
    veil=entries.veil,
    playout=entries.playout,
    signatures=entries.SIGNATURES,
)


@dataclass(frozen=True, eq=False)
class AzulGame(Game):
    """Azul in one of its editions, which differ in their tiles, their words, their pictures and the default variant."""

    edition: Edition
    earlier: Mapping[int, Edition]  # by version: the letters in which earlier versions of the notation were written

    move_type = AzulMove
    effect_type = AzulEffect
    view_type = AzulView

    read_rules = staticmethod(read_rules)
    rules_of = staticmethod(rules_of)
    normalise_variant = staticmethod(normalise_variant)
    with_table_limits = staticmethod(with_table_limits)
    group_key = staticmethod(group_key)
    viewer_of = staticmethod(viewer_of)

    def in_version(self, version: int) -> AzulGame:
        return replace(self, version=version, edition=self.earlier.get(version, self.edition))

    def read_move(self, row: bytes, text: str) -> int:
        return read_move(self.edition, row, text)

    def write_move(self, row: bytes, action: int) -> str:
        return write_move(self.edition, row, action)

    @property
    def moves_by_text(self) -> Mapping[str, int]:
        return moves_by_text(self.edition)

    def normalise_move(self, text: str) -> str:
        return normalise_move(self.edition, text)

    def move_of(self, row: bytes, action: int) -> AzulMove:
        return move_of(self.edition, row, action)

    def moves_of(self, row: bytes, actions: Sequence[int]) -> list[Move]:
        return cast("list[Move]", moves_of(self.edition, row, actions))

    def explain_refusal(self, row: bytes, action: int, code: int) -> Refused:
        return explain_refusal(self.edition, row, action, code)

    def view(self, row: bytes) -> AzulView:
        return values_of(self.edition, row)

    def view_changes(self, before: bytes, after: bytes) -> ViewChanges:
        return changes_of(self, before, after)

    def read_row(self, reader: Reader) -> bytes:
        return read_row(self, reader)

    def write_row(self, row: bytes) -> str:
        return write_row(self, row)

    def describe_move(self, row: bytes, action: int) -> str:
        return describe_move(self, row, action)

    def effects(self, row: bytes, action: int) -> tuple[Effect, ...]:
        return effects(self, row, action)

    def describe_effects(self, row: bytes, effects: Sequence[Effect], names: Sequence[str]) -> list[str]:
        return describe_effects(self, row, effects, names)

    def score_changes(self, row: bytes, effects: Sequence[Effect]) -> list[ScoreItem]:
        return score_changes(self, row, effects)

    def outcome_of(self, row: bytes) -> Outcome | None:
        return outcome_of(self, row)

    def breakdown(self, row: bytes) -> list[ScoreItem]:
        return breakdown(self, row)

    def board(self, row: bytes, names: Sequence[str] = ()) -> list[StyledLine]:
        return board_lines(self, row, names)

    def svg(self, row: bytes, last: tuple[int, int] | None, names: Sequence[str], counts: bool) -> str:  # noqa: ARG002
        """See `Game.svg`. `counts` changes nothing: there is nothing to count in an Azul position."""
        from .drawing import svg  # imported here because it is large and rarely needed

        outcome = self.outcome_of(row)
        winners = outcome.winners if outcome else ()
        view = view_of(self.edition, row)
        return svg(self.edition, view, names=names, words=self.words, last=last, winners=winners)


def _move_help(edition: Edition) -> tuple[str, str]:
    take, to_floor = f"3{edition.letters[2]}2", f"C{edition.letters[3]}F"
    return f"a move, such as {take} or {to_floor}", "play it (lower case works too, 0 is the centre)"


def _game(
    edition: Edition, *, name: str, title: str, rules: Rules, version: int = 1, earlier: Mapping[int, Edition] = {}
) -> AzulGame:
    return AzulGame(
        name=name,
        family="azul",
        title=title,
        version=version,
        import_path=f"tilery.games.azul:{name.upper()}",
        seats=(2, 3, 4),
        rules=rules,
        words=edition.words,
        theme=edition.theme,
        styles=styles_of(edition),
        help=help_of(edition),
        hidden_information=False,
        move_help=_move_help(edition),
        variants=VARIANTS,
        sentences=sentences_of(edition),
        endings=ENDINGS,
        kernel_source=KERNEL,
        edition=edition,
        earlier=earlier,
    )


AZUL = _game(CERAMIC, name="azul", title="Azul", rules=Rules())
CHOCOLATIER = _game(
    CHOCOLATE,
    name="chocolatier",
    title="Azul: Master Chocolatier",
    rules=Rules(specials="round"),
    version=2,
    earlier={1: CHOCOLATE_1},
)
