"""A game in the terminal: people type moves, bots answer, chance deals, every ply is saved."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from rich.text import Text

from tilery.cli.choosing import PERSON
from tilery.cli.commands import print_commands
from tilery.cli.files import write_new, write_safely
from tilery.cli.hints import print_hint
from tilery.cli.printing import ask, console, names_of, print_board, print_guide, print_score, program
from tilery.cli.thinking import spinner
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position, Standing
from tilery.core.record import Record
from tilery.core.refusals import NotAMove, Refused
from tilery.core.streams import Stream
from tilery.engine.bots import bot
from tilery.engine.external import PREFIX


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
            name = "program" if kind.startswith(PREFIX) else kind
            names.append(name if list(seats).count(kind) == 1 else f"{name} {seat + 1}")
    return names


def is_worth_keeping(record: Record) -> bool:
    """Whether somebody has played or typed in a deal."""
    return record.tags.get("Deals") == "typed" or any(ply.actor >= 0 for ply in record.plies)


class Session:
    """One game at one keyboard."""

    def __init__(self, record: Record, seats: Sequence[str], *, seed: str, typed: bool, path: Path) -> None:
        self.record = record
        self.seats = list(seats)
        self.seed = seed
        self.typed = typed
        self.path = path
        self.names = names_of(record)
        self.may_vanish = False  # a file that nobody asked for
        self.listed: list[int] = []
        self.drawn = False  # whether the board as it is has been printed
        self.people = [seat for seat, kind in enumerate(seats) if kind == PERSON]
        self.looking: int | None = None  # the seat of whoever sits before the screen, where hands are hidden

    @property
    def is_secret(self) -> bool:
        """Whether the screen shows what one seat sees. Whoever types in the deals has seen everything."""
        return self.record.game.secret and not self.typed and bool(self.people)

    def shown(self, position: Position) -> Standing:
        """What the screen shows of a position: at the end of the game all of it."""
        if not self.is_secret or position.actor == OVER:
            return position
        if len(self.people) == 1:
            return position.seen_by(self.people[0])
        return position.seen_by(position.actor if position.actor in self.people else self.people[0])

    @property
    def position(self) -> Position:
        return self.record.last

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
        console.print()
        print_board(self.position, self.names)
        console.print()
        print_score(self.position, self.names)
        console.print(f"Look at it again: {program()} replay {self.shell_path}", style="dim", soft_wrap=True)

    @property
    def shell_path(self) -> str:
        """The game's file as a shell takes it."""
        return shlex.quote(str(self.path))

    @property
    def has_begun(self) -> bool:
        """Whether somebody has done something that must not be lost."""
        return is_worth_keeping(self.record)

    def leave(self) -> None:
        """Say where the game is kept; one in which nothing has happened is not."""
        if self.has_begun or not self.may_vanish:
            console.print(f"Saved. Go on with: {program()} resume {self.shell_path}", soft_wrap=True)
        else:
            self.path.unlink(missing_ok=True)
            console.print("Nothing was played, so nothing is kept.")

    def close(self) -> None:
        """End the programs that have played."""
        for name in self.seats:
            end = None if name == PERSON else bot(name).close
            if end:
                end()

    def keep(self) -> None:
        """Save the game where it is kept."""
        write_safely(self.path, self.record.text)

    def _play(self, position: Position, action: int) -> None:
        self.record = self.record.play(action, by=position.actor)
        self._changed()
        after = self.position
        if after.round != position.round:
            points = ", ".join(f"{name} {score}" for name, score in zip(self.names, after.scores(), strict=True))
            console.print(f"Round {position.round} is over. Points: {points}.", style="dim")

    def _changed(self) -> None:
        self.drawn = False
        self.listed = []
        self.keep()

    def _chance(self, position: Position) -> None:
        if not self.typed:
            # Named by its number, so that after an undo the same tiles are dealt again.
            stream = Stream("play", self.seed, "chance", self.record.chance_plies)
            self._play(position, position.draw(stream))
            return
        self._draw(position)
        example = position.moves()[len(position.moves()) // 2]
        self._ask(position, f"Deal, such as {example} > ")

    def _bot(self, position: Position) -> None:
        seat = position.actor
        stream = Stream("play", self.seed, self.seats[seat], seat, len(self.record.plies))
        try:
            with spinner(f"{self.names[seat]} is thinking ..."):
                action = bot(self.seats[seat]).choose(position.seen_by(seat), stream)
        except Refused as error:  # of a program that is no good
            console.print(str(error), style="red")
            raise Leave from None
        self._tell(position, action)
        self._play(position, action)

    def _tell(self, position: Position, action: int) -> None:
        """Say what somebody plays, as far as all people at the screen may know it."""
        game, row = position.game, position.row
        if self.is_secret:
            # Where they may know different things, the shortest says least: accept, not accept:DDDM.
            seen = {position.veiled(action, seat) for seat in self.people}
            action = min(seen, key=lambda other: len(position.move_text(other)))
        move = (position.move_text(action), "bold")
        told = game.tell_move(game, row, action)
        console.print(Text.assemble(f"{self.names[position.actor]} plays ", move, f": {told}"))

    def _person(self, position: Position) -> None:
        if self.is_secret and len(self.people) > 1 and self.looking != position.actor:
            self._change_places(position.actor)
        self._draw(position)
        self._ask(position, f"{self.names[position.actor]} > ")

    def _change_places(self, seat: int) -> None:
        """Hands are hidden: wipe the screen before the next person looks at it."""
        self.looking = None
        if console.is_terminal:
            console.file.write("\x1b[2J\x1b[3J\x1b[H")  # and what can be scrolled back to
        name = (self.names[seat], "bold")
        console.print(Text.assemble("\nThe keyboard goes to ", name, ". The others look away."))
        self._tell_since(seat)
        try:
            ask("Press Enter to see your hand > ")
        except EOFError:
            raise Leave from None
        self.looking = seat
        self.drawn = False

    def _tell_since(self, seat: int) -> None:
        """What the others have played since this seat acted last."""
        plies = self.record.plies
        first = max((k + 1 for k, ply in enumerate(plies) if ply.actor == seat), default=0)
        position = self.record.position(first)
        for ply in plies[first:]:
            if ply.actor >= 0:
                self._tell(position, ply.action)
            position = position.play(ply.action)

    def _draw(self, position: Position) -> None:
        if not self.drawn:
            console.print()
            print_board(self.shown(position), self.names)
            self.drawn = True
            moves = position.moves()
            if position.actor >= 0 and len(moves) <= 6:
                console.print(f"Legal: {' '.join(moves)}", style="dim")

    def _ask(self, position: Position, prompt: str) -> None:
        """One line from the keyboard: a command, a number from the list, or a move."""
        try:
            line = ask(prompt)
        except EOFError:
            raise Leave from None
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "moves": lambda: self._list(position),
            "board": lambda: print_board(self.shown(position), self.names),
            "score": lambda: print_score(position, self.names),
            "text": lambda: console.print(self.shown(position).text, soft_wrap=True),
            "rules": lambda: print_guide(position.game.help),
            "hint": lambda: print_hint(position, self.seed),
            "help": lambda: print_commands(position.game),
            "?": lambda: print_commands(position.game),
            "undo": self._undo,
            "save": lambda: self._save(rest.strip()),
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
            self._try(position, line)

    def _try(self, position: Position, line: str) -> None:
        """Play what was typed, or say why not. The deals of a whole round may be typed in one line."""
        several = self.typed and position.actor == CHANCE and len(line.split()) > 1
        if several and isinstance(position.refusal(position.game.tidy_move(line)), NotAMove):
            for word in line.split():
                if not self._try_one(self.position, word):
                    return
        else:
            self._try_one(position, line)

    def _try_one(self, position: Position, line: str) -> bool:
        try:
            action = self._action(position, line)
        except NotAMove as error:
            console.print(f"{error}\nType help for all commands.", style="yellow")
        except Refused as error:
            console.print(f"Not legal here: {error}", style="yellow")
        else:
            self._play(position, action)
            return True
        return False

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
        moves = [position.move_text(action) for action in self.listed]
        listed_by = position.game.listed_by
        for _, group in groupby(enumerate(moves, start=1), lambda pair: listed_by(pair[1])):
            pairs = list(group)
            width = max(6, *(len(move) for _, move in pairs))
            cells = [f"{number:>3} {move:<{width}}" for number, move in pairs]
            a_line = max(1, (console.width + 1) // (width + 5))
            for first in range(0, len(cells), a_line):
                console.print(" ".join(cells[first : first + a_line]).rstrip())
        console.print("Type a number or a move.", style="dim")

    def _undo(self) -> None:
        """Back to before the last move of a person, over the answers of bots and the deals between."""
        if self.seats.count(PERSON) > 1 and not self.typed:
            # Whoever types in the deals of a real table only mends what was typed wrongly.
            console.print("Undo is for games against bots: here others have seen your move.", style="yellow")
            return
        for count in range(len(self.record.plies) - 1, -1, -1):
            actor = self.record.plies[count].actor
            if (self.typed and actor == CHANCE) or (actor >= 0 and self.seats[actor] == PERSON):
                self.record = self.record.upto(count)
                self._changed()
                console.print("Taken back.", style="dim")
                return
        console.print("There is no move of yours to take back.", style="yellow")

    def _save(self, name: str) -> None:
        if not name:
            console.print(f"The game is kept in {self.path}", soft_wrap=True)
            return
        try:
            write_new(Path(name).expanduser(), self.record.text)
        except (Refused, RuntimeError) as error:  # RuntimeError: of ~nobody
            console.print(f"Not saved: {error}", style="red")
        else:
            console.print(f"Saved a copy in {name}", soft_wrap=True)
