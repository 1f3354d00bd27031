"""Azul and Azul: Master Chocolatier: one family, one kernel, two editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilery.core.game import Game, Kernel

from .board import STYLES, board_lines
from .effects import effects
from .guide import HELP
from .kernel import entries
from .kernel.layout import MOST_LEGAL, WIDTH
from .notation import listed_by, read_move, read_row, tidy_move, write_move, write_row
from .refusals import why_not
from .rules import VARIANTS, Rules, at_table, read_rules, rules_of, tidy_variant
from .scoring import breakdown, outcome_of
from .view import ENDINGS, json_of, plain_values, round_of, view_of, viewer_of
from .words import CERAMIC, CHOCOLATE, tell_move


def picture(game: Game, row: bytes, last: tuple[int, int] | None, names: Sequence[str], _: bool) -> str:
    """A position drawn in the theme of its edition. Nothing on it needs counting."""
    from .drawing import svg  # a large room that most programs never enter

    outcome = outcome_of(game, row)
    winners = outcome.winners if outcome else ()
    return svg(view_of(row), names=names, theme=game.theme, words=game.words, last=last, winners=winners)


KERNEL = Kernel(
    name="the rules of Azul",
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

AZUL = Game(
    name="azul",
    family="azul",
    title="Azul",
    version=1,
    home="tilery.games.azul:AZUL",
    seats=(2, 3, 4),
    rules=Rules(),
    words=CERAMIC,
    theme="ceramic",
    styles=STYLES,
    help=HELP,
    secret=False,
    typed=("a move, such as 3R2 or CKF", "play it (small letters do, 0 is the centre)"),
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

CHOCOLATIER = replace(
    AZUL,
    name="chocolatier",
    title="Azul: Master Chocolatier",
    home="tilery.games.azul:CHOCOLATIER",
    rules=Rules(specials="round"),
    words=CHOCOLATE,
    theme="chocolate",
)

__all__ = ["AZUL", "CHOCOLATIER", "Rules"]
