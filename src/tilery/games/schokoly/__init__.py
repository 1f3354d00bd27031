"""Schokoly: cards of chocolate on an unbounded plane, with hidden hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilery.core.game import Game, Kernel

from .board import STYLES, board_lines
from .counting import counted_json, counted_values, effects
from .groups import groups_of
from .guide import HELP
from .kernel import entries
from .kernel.layout import MOST_LEGAL, WIDTH
from .moves import listed_by, read_move, tidy_move, write_move
from .notation import read_row, write_row
from .refusals import why_not
from .rules import VARIANTS, Rules, at_table, read_rules, rules_of, tidy_variant
from .scoring import breakdown, outcome_of, points_of
from .view import ENDINGS, round_of, view_of, viewer_of
from .words import WORDS, tell_move


def picture(game: Game, row: bytes, last: tuple[int, int] | None, names: Sequence[str], counts: bool) -> str:
    """A position drawn; with `counts` the sizes of groups and the edges of neutral ones."""
    from .drawing import svg  # a large room that most programs never enter

    outcome = outcome_of(game, row)
    view = view_of(row)
    return svg(
        view,
        groups_of(game.kernel, row, view),
        names=names,
        words=game.words,
        last=last,
        winners=outcome.winners if outcome else (),
        points=points_of(game, row),
        counts=counts,
    )


KERNEL = Kernel(
    name="the rules of Schokoly",
    width=WIDTH,
    most_legal=MOST_LEGAL,
    setup=entries.setup,
    actor=entries.actor,
    legal=entries.legal,
    refusal=entries.refusal,
    odds=entries.odds,
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


def plain_values(row: bytes) -> dict[str, Any]:
    """The view as JSON would have it."""
    return counted_values(KERNEL, row)


def json_of(row: bytes) -> str:
    """The view as JSON."""
    return counted_json(KERNEL, row)


SCHOKOLY = Game(
    name="schokoly",
    family="schokoly",
    title="Schokoly",
    version=1,
    home="tilery.games.schokoly:SCHOKOLY",
    seats=(2, 3, 4),
    rules=Rules(),
    words=WORDS,
    theme="chocolate",
    styles=STYLES,
    help=HELP,
    secret=True,
    typed=("a move, such as WDDM@2,0", "play it (wddm 2 0 does, wddm 2 0 up for the second level)"),
    kernel_source=KERNEL,
    read_rules=read_rules,
    rules_of=rules_of,
    read_row=read_row,
    write_row=write_row,
    viewer_of=viewer_of,
    read_move=read_move,
    write_move=write_move,
    tidy_move=tidy_move,
    listed_by=listed_by,
    tell_move=tell_move,
    effects=effects,
    why_not=why_not,
    round_of=round_of,
    outcome_of=outcome_of,
    breakdown=breakdown,
    tidy_variant=tidy_variant,
    at_table=at_table,
    variants=VARIANTS,
    endings=ENDINGS,
    view=plain_values,
    json=json_of,
    board=board_lines,
    svg=picture,
)

__all__ = ["SCHOKOLY", "Rules"]
