"""A game in the terminal: people type moves, bots answer, chance deals, every ply is saved."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path

from tilery.cli.choosing import PERSON, first_record, seat_names, variant
from tilery.cli.files import new_game_file, saved_games, write_safely
from tilery.cli.menu import choose_game
from tilery.cli.printing import console, print_board, print_score
from tilery.core.actors import CHANCE, OVER
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.core.refusals import NotAMove, Refused
from tilery.core.streams import Stream, fresh_seed
from tilery.engine.bots import bot
from tilery.games import game

_COMMANDS = """\
[bold]a move[/bold], such as 3R2 or CKF    play it (small letters do, 0 is the centre)
[bold]moves[/bold]                         list all legal moves; then type a number to play one
[bold]board score text[/bold]              print the board, the score so far, the position's text
[bold]rules[/bold]                         the rules in short
[bold]undo[/bold]                          take back your last move (against bots)
[bold]save FILE[/bold]                     keep a copy of the game in a file
[bold]new[/bold]                           choose another game, variant and players
[bold]quit[/bold]                          leave; the game is saved and `tilery resume` goes on
"""


class Leave(Exception):
    """The player wants to stop."""


class AnotherGame(Exception):
    """The player wants a new game."""


def people_names(seats: Sequence[str]) -> list[str]:
    """What the seats are called: "You" when there is one person, numbered where names would repeat."""
    names = []
    for seat, kind in enumerate(seats):
        if kind == PERSON:
            names.append("You" if list(seats).count(PERSON) == 1 else f"Player {seat + 1}")
        else:
            names.append(kind if list(seats).count(kind) == 1 else f"{kind} {seat + 1}")
    return names


class Session:
    """One game at one keyboard."""

    def __init__(self, record: Record, seats: Sequence[str], *, seed: str, typed: bool, path: Path) -> None:
        self.record = record
        self.seats = list(seats)
        self.seed = seed
        self.typed = typed
        self.path = path
        self.listed: list[int] = []
        self.drawn = False  # whether the board as it is has been printed

    @property
    def position(self) -> Position:
        return self.record.last

    @property
    def names(self) -> tuple[str, ...]:
        return self.record.players

    def run(self) -> None:
        """Play to the end."""
        while True:
            position = self.position
            if position.actor == OVER:
                break
            if position.actor == CHANCE:
                self._chance(position)
            elif self.seats[position.actor] == PERSON:
                self._person(position)
            else:
                self._bot(position)
        print_board(self.position, self.names)
        console.print()
        print_score(self.position, self.names)
        console.print(f"Look at it again: tilery replay {self.path}", style="dim", soft_wrap=True)

    def keep(self) -> None:
        """Save the game where it is kept."""
        write_safely(self.path, self.record.text)

    def _play(self, position: Position, action: int) -> None:
        self.record = self.record.play(action, by=position.actor)
        self.drawn = False
        self.listed = []
        self.keep()

    def _chance(self, position: Position) -> None:
        if not self.typed:
            # Named by its number, so that after an undo the same tiles are dealt again.
            stream = Stream("play", self.seed, "chance", self.record.chance_plies)
            self._play(position, position.draw(stream))
            return
        if not self.drawn:
            print_board(position, self.names)
            self.drawn = True
        example = position.moves()[len(position.moves()) // 2]
        self._ask(position, f"Deal, such as {example} > ")

    def _bot(self, position: Position) -> None:
        seat = position.actor
        stream = Stream("play", self.seed, self.seats[seat], seat, len(self.record.plies))
        action = bot(self.seats[seat]).choose(position.seen_by(seat), stream)
        console.print(f"{self.names[seat]} plays [bold]{position.move_text(action)}[/bold]: {position.tell(action)}")
        self._play(position, action)

    def _person(self, position: Position) -> None:
        if not self.drawn:
            console.print()
            print_board(position, self.names)
            self.drawn = True
        self._ask(position, f"{self.names[position.actor]} > ")

    def _ask(self, position: Position, prompt: str) -> None:
        """One line from the keyboard: a command, a number from the list, or a move."""
        try:
            line = console.input(prompt, markup=False).strip()
        except EOFError:
            raise Leave from None
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "moves": lambda: self._list(position),
            "board": lambda: print_board(position, self.names),
            "score": lambda: print_score(position, self.names),
            "text": lambda: console.print(position.text, soft_wrap=True, markup=False),
            "rules": lambda: console.print(position.game.help, markup=False),
            "help": lambda: console.print(_COMMANDS),
            "?": lambda: console.print(_COMMANDS),
            "undo": self._undo,
            "save": lambda: self._save(rest),
        }
        if not line:
            console.print("Type a move, or help.", style="dim")
        elif word.lower() in ("quit", "exit", "q"):
            raise Leave
        elif word.lower() == "new":
            raise AnotherGame
        elif word.lower() in commands:
            commands[word.lower()]()
        else:
            try:
                self._play(position, self._action(position, line))
            except NotAMove as error:
                console.print(f"{error}\nType help for all commands.", style="yellow", markup=False)
            except Refused as error:
                console.print(f"Not legal here: {error}", style="yellow", markup=False)

    def _action(self, position: Position, line: str) -> int:
        if line.isascii() and line.isdigit():
            number = int(line[:6])
            if not self.listed:
                raise NotAMove("a number picks from the list: type moves first")
            if not 1 <= number <= len(self.listed):
                raise NotAMove(f"the list has the numbers 1 to {len(self.listed)}")
            return self.listed[number - 1]
        tidy = position.game.tidy_move(line)
        action = position.action(tidy)
        position.play(action)
        return action

    def _list(self, position: Position) -> None:
        """All legal moves, numbered, in columns."""
        self.listed = position.actions()
        cells = [f"{k:>3} {position.move_text(a):<6}" for k, a in enumerate(self.listed, start=1)]
        # A line of its own for each pair of source and colour: that is where the eye looks first.
        for _, group in groupby(range(len(cells)), key=lambda k: cells[k][4:6]):
            console.print(" ".join(cells[k] for k in group).rstrip(), markup=False)
        console.print("Type a number or a move.", style="dim")

    def _undo(self) -> None:
        """Back to before the last move of a person, over the answers of bots and the deals between."""
        if self.seats.count(PERSON) > 1:
            console.print("Undo is for games against bots: here others have seen your move.", style="yellow")
            return
        for count in range(len(self.record.plies) - 1, -1, -1):
            actor = self.record.plies[count].actor
            if (self.typed and actor == CHANCE) or (actor >= 0 and self.seats[actor] == PERSON):
                self.record = self.record.upto(count)
                self.drawn = False
                self.listed = []
                self.keep()
                console.print("Taken back.", style="dim")
                return
        console.print("There is no move of yours to take back.", style="yellow")

    def _save(self, name: str) -> None:
        if not name.strip():
            console.print(f"The game is kept in {self.path}", soft_wrap=True, markup=False)
            return
        try:
            write_safely(Path(name.strip()).expanduser(), self.record.text)
        except OSError as error:
            console.print(f"Not saved: {error.strerror}: {name}", style="red", markup=False)
        else:
            console.print(f"Saved a copy in {name.strip()}", markup=False)


def _new_session(
    name: str,
    seats_text: str | None,
    variant_text: str | None,
    *,
    seed: str | None,
    deals: str,
    save: Path | None,
    bare: bool,
) -> Session:
    chosen = game(name)
    if deals not in ("drawn", "typed"):
        raise Refused(f"deals are drawn or typed, not {deals[:20]!a}")
    if seats_text is None:
        count = variant(chosen, variant_text, None).seats
        seats = [PERSON, *["greedy"] * (count - 1)]
    else:
        seats = seat_names(seats_text)
        if len(seats) not in chosen.seats:
            raise Refused(f"{chosen.title} is for {min(chosen.seats)} to {max(chosen.seats)} seats, not {len(seats)}")
    rules = variant(chosen, variant_text, len(seats), bare=bare)
    if save is not None and save.exists():
        raise Refused(f"{save} exists already: go on with `tilery resume {save}`, or name another file")
    tags = {"Date": date.today().isoformat(), "Players": ",".join(seats)}
    record = Record(chosen.new(rules), (), tuple(people_names(seats)), tags)
    path = save or new_game_file()
    return Session(record, seats, seed=seed or str(fresh_seed()), typed=deals == "typed", path=path)


def start_session(
    name: str,
    seats: str | None,
    variant_text: str | None,
    *,
    seed: str | None,
    deals: str,
    save: Path | None,
    bare: bool,
) -> None:
    """`tilery play`."""
    session = _new_session(name, seats, variant_text, seed=seed, deals=deals, save=save, bare=bare)
    console.print(
        f"[bold]{session.record.game.title}[/bold] ({session.position.rules.text}): "
        f"{', '.join(session.names)}. Type help for help, new for another game, quit to leave."
    )
    _run(session)


def resume_session(file: Path | None, *, seed: str | None) -> None:
    """`tilery resume`."""
    record = first_record(file) if file else None
    if record is None:
        for path in saved_games():
            with contextlib.suppress(Refused):
                found = first_record(path)
                if found.last.actor != OVER:
                    record, file = found, path
                    break
    if record is None or file is None:
        raise Refused("there is no unfinished game to go on with: start one with `tilery play`")
    seats = seat_names(record.tags.get("Players", ",".join([PERSON] * record.start.seats)))
    if len(seats) != record.start.seats:
        raise Refused(f"{file}: the tag Players names {len(seats)} seats, the game has {record.start.seats}")
    console.print(f"Going on with {file}, after {len(record.plies)} plies.", soft_wrap=True, markup=False)
    _run(Session(record, seats, seed=seed or str(fresh_seed()), typed=False, path=file))


def _run(session: Session) -> None:
    """Play one game after another until the player leaves."""
    while True:
        try:
            session.keep()
            session.run()
            return
        except AnotherGame:
            name, seats, variant_text = choose_game()
            session = _new_session(name, seats, variant_text, seed=None, deals="drawn", save=None, bare=False)
        except (Leave, KeyboardInterrupt):
            console.print(f"\nSaved. Go on with: tilery resume {session.path}", soft_wrap=True, markup=False)
            return
