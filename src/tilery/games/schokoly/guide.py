"""A summary of the rules for the terminal. The exact rules are in docs/rules/schokoly.md."""

from __future__ import annotations

HELP = """\
THE AIM  Join pieces of your kind of chocolate into one large group. With 2 or 4 players the third kind is neutral:
each of its groups of 6 or more goes to the side with more edges to it (SC-43, SC-44).

KINDS    The first player chooses dark, milk or white in its first turn, the second player one of the two left (SC-12,
SC-13). With 4, seats 1 and 3 play against 2 and 4; with 3, everybody has a kind and nothing is neutral.

PLACING  Each turn place one of your four cards, turned as you like, then draw one. It shares at least 2 edges with
pieces on the table (SC-20), and at least one edge joins two pieces of the same kind (SC-21).

TOKENS   For a token you may place your card on the second level: on pieces of at least two cards, none of them with
a token, touching its own kind at a side (SC-31, SC-32). Or, after a card on the first level, put a token on
any card: it can never be covered (SC-35). One token a turn; covered pieces count for nothing (SC-33).

THE END  When the last card is played. Most points win; a tie goes to the larger second group (SC-40, SC-47).

SWAPPING (an option for 3) Before placing, offer a card to an opponent, who only hears how many pieces of their
kind it has. They decline, or answer with a card in the same way; then you accept or decline (SC-50 to SC-53).

NOTATION WDDM@2,-1: the card's pieces clockwise from the top left, as it lies, and its top left cell (column,row).
         WDDM@2,-1^: the same on the second level.  token@0,0: secure that card.  no-token: do not.
         dark, milk, white: choose a kind.  pass.  offer:DDDM>2, answer:MMWD, accept, decline.
         You may type: wddm 2 -1, wddm 2 -1 up, token 0 0, no.
"""
