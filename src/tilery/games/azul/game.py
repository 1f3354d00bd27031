"""The class behind Azul and Azul: Master Chocolatier, and its two instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilery.core.effects import Effect
from tilery.core.game import Game, Kernel, ScoreItem, StyledLine
from tilery.core.outcome import Outcome
from tilery.core.text import Reader

from .board import STYLES, board_lines
from .effects import effects
from .guide import HELP
from .kernel import entries
from .kernel.layout import MAX_LEGAL, WIDTH
from .move_kinds import group_key, move_of
from .moves import normalise_move, read_move, write_move
from .notation import read_row, write_row
from .refusals import explain_refusal
from .rules import VARIANTS, Rules, normalise_variant, read_rules, rules_of, with_table_limits
from .scoring import breakdown, outcome_of
from .values import json_of, plain_values
from .view import ENDINGS, round_of, view_of, viewer_of
from .words import CERAMIC, CHOCOLATE, describe_move

KERNEL = Kernel(
    name="the rules of Azul",
    width=WIDTH,
    max_legal=MAX_LEGAL,
    setup=entries.setup,
    actor=entries.actor,
    legal=entries.legal,
    refusal=entries.refusal,
    probabilities=entries.probabilities,
    draw=entries.draw,
    apply=entries.apply,
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
    """Azul in one of its editions, which differ in their words, their pictures and the default variant."""

    read_rules = staticmethod(read_rules)
    rules_of = staticmethod(rules_of)
    normalise_variant = staticmethod(normalise_variant)
    with_table_limits = staticmethod(with_table_limits)
    read_move = staticmethod(read_move)
    write_move = staticmethod(write_move)
    normalise_move = staticmethod(normalise_move)
    move_of = staticmethod(move_of)
    group_key = staticmethod(group_key)
    explain_refusal = staticmethod(explain_refusal)
    viewer_of = staticmethod(viewer_of)
    round_of = staticmethod(round_of)
    view = staticmethod(plain_values)
    json = staticmethod(json_of)

    def read_row(self, reader: Reader) -> bytes:
        return read_row(self, reader)

    def write_row(self, row: bytes) -> str:
        return write_row(self, row)

    def describe_move(self, row: bytes, action: int) -> str:
        return describe_move(self, row, action)

    def effects(self, row: bytes, action: int) -> tuple[Effect, ...]:
        return effects(self, row, action)

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
        return svg(view_of(row), names=names, theme=self.theme, words=self.words, last=last, winners=winners)


AZUL = AzulGame(
    name="azul",
    family="azul",
    title="Azul",
    version=1,
    import_path="tilery.games.azul:AZUL",
    seats=(2, 3, 4),
    rules=Rules(),
    words=CERAMIC,
    theme="ceramic",
    styles=STYLES,
    help=HELP,
    hidden_information=False,
    move_help=("a move, such as 3R2 or CKF", "play it (lower case works too, 0 is the centre)"),
    variants=VARIANTS,
    endings=ENDINGS,
    kernel_source=KERNEL,
)

CHOCOLATIER = replace(
    AZUL,
    name="chocolatier",
    title="Azul: Master Chocolatier",
    import_path="tilery.games.azul:CHOCOLATIER",
    rules=Rules(specials="round"),
    words=CHOCOLATE,
    theme="chocolate",
)
