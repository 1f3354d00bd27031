"""The class behind Schokoly, and its instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilery.core.effects import Effect
from tilery.core.game import Game, Kernel, ScoreItem, StyledLine
from tilery.core.outcome import Outcome
from tilery.core.text import Reader

from .board import STYLES, board_lines
from .effect_words import describe_effects, score_changes
from .effects import SchokolyEffect, effects
from .groups import groups_of
from .guide import HELP
from .kernel import entries
from .kernel.layout import MAX_LEGAL, WIDTH
from .move_kinds import SchokolyMove, group_key, move_of
from .moves import normalise_move, read_move, write_move
from .notation import read_row, write_row
from .refusals import SENTENCES, explain_refusal
from .rules import VARIANTS, Rules, normalise_variant, read_rules, rules_of, with_table_limits
from .scoring import breakdown, outcome_of, points_of
from .values import SchokolyView, values_of
from .view import ENDINGS, view_of, viewer_of
from .words import WORDS, describe_move

KERNEL = Kernel(
    name="the rules of Schokoly",
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
class SchokolyGame(Game):
    """Schokoly: every seat sees its own hand only."""

    move_type = SchokolyMove
    effect_type = SchokolyEffect
    view_type = SchokolyView

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
    describe_move = staticmethod(describe_move)

    def read_row(self, reader: Reader) -> bytes:
        return read_row(self, reader)

    def write_row(self, row: bytes) -> str:
        return write_row(self, row)

    def effects(self, row: bytes, action: int) -> tuple[Effect, ...]:
        return effects(self, row, action)

    def describe_effects(self, row: bytes, effects: Sequence[Effect], names: Sequence[str]) -> list[str]:
        return describe_effects(self, row, effects, names)

    def score_changes(self, row: bytes, effects: Sequence[Effect]) -> list[ScoreItem]:
        return score_changes(self, row, effects)

    def view(self, row: bytes) -> SchokolyView:
        return values_of(self, row)

    def outcome_of(self, row: bytes) -> Outcome | None:
        return outcome_of(self, row)

    def breakdown(self, row: bytes) -> list[ScoreItem]:
        return breakdown(self, row)

    def board(self, row: bytes, names: Sequence[str] = ()) -> list[StyledLine]:
        return board_lines(self, row, names)

    def svg(self, row: bytes, last: tuple[int, int] | None, names: Sequence[str], counts: bool) -> str:
        """See `Game.svg`. With `counts` it shows the sizes of groups and the edges of neutral ones."""
        from .drawing import svg  # imported here because it is large and rarely needed

        outcome = self.outcome_of(row)
        view = view_of(row)
        return svg(
            view,
            groups_of(self.kernel, row, view),
            names=names,
            words=self.words,
            last=last,
            winners=outcome.winners if outcome else (),
            points=points_of(self, row),
            counts=counts,
        )


SCHOKOLY = SchokolyGame(
    name="schokoly",
    family="schokoly",
    title="Schokoly",
    version=1,
    import_path="tilery.games.schokoly:SCHOKOLY",
    seats=(2, 3, 4),
    rules=Rules(),
    words=WORDS,
    theme="chocolate",
    styles=STYLES,
    help=HELP,
    hidden_information=True,
    move_help=("a move, such as WDDM@2,0", "play it (wddm 2 0 works too, wddm 2 0 up for the second level)"),
    variants=VARIANTS,
    sentences=SENTENCES,
    endings=ENDINGS,
    kernel_source=KERNEL,
)
