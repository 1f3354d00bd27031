"""A game in the terminal: people type moves, bots reply, chance deals, and every ply is saved."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from rich.text import Text

from tilery.cli.arguments import PERSON
from tilery.cli.effects_output import print_ply, print_round
from tilery.cli.files import write_new, write_safely
from tilery.cli.hint import print_hint
from tilery.cli.output import ask, console, names_of, print_board, print_rules, print_score, program
from tilery.cli.search_output import spinner
from tilery.cli.session_commands import print_commands
from tilery.core.kernel.actors import CHANCE, OVER, SPECTATOR
from tilery.core.position import BasePosition, Position
from tilery.core.record import Record
from tilery.core.refusals import NotAMove, Refused
from tilery.core.streams import Stream
from tilery.engine.bots import bot
from tilery.engine.external import PREFIX


class Leave(Exception):
    """The player wants to stop."""


class AnotherGame(Exception):
    """The player wants a new game."""


def player_names(seats: Sequence[str]) -> list[str]:
    """The names of the players: "You" for a single person; names that would occur twice are numbered."""
    names = []
    for seat, kind in enumerate(seats):
        if kind == PERSON:
            names.append("You" if list(seats).count(PERSON) == 1 else f"Player {seat + 1}")
        else:
            name = "program" if kind.startswith(PREFIX) else kind
            names.append(name if list(seats).count(kind) == 1 else f"{name} {seat + 1}")
    return names


def is_worth_saving(record: Record) -> bool:
    """Whether somebody has made a move, or deals are typed."""
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
        self.is_temporary = False  # whether the file is deleted if nothing is played
        self.listed_actions: list[int] = []
        self.is_board_printed = False  # whether the current board is on the screen
        self.people = [seat for seat, kind in enumerate(seats) if kind == PERSON]
        self.viewer: int | None = None  # the seat whose hand the screen shows, if hands are hidden

    @property
    def hides_hands(self) -> bool:
        """Whether the screen shows only what one seat sees. With typed deals it shows everything."""
        return self.record.game.hidden_information and not self.typed and bool(self.people)

    def visible(self, position: Position) -> BasePosition:
        """The position that the screen shows: what one seat sees, or the whole position at the end of the game."""
        if not self.hides_hands or position.actor == OVER:
            return position
        if len(self.people) == 1:
            return position.seen_by(self.people[0])
        return position.seen_by(position.actor if position.actor in self.people else self.people[0])

    @property
    def position(self) -> Position:
        return self.record.last

    def run(self) -> None:
        """Play until the game is over."""
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
        console.print(f"Replay it with: {program()} replay {self.shell_path}", style="dim", soft_wrap=True)

    @property
    def shell_path(self) -> str:
        """The file of the game, quoted for a shell."""
        return shlex.quote(str(self.path))

    @property
    def is_worth_saving(self) -> bool:
        """Whether something was played that must not be lost."""
        return is_worth_saving(self.record)

    def leave(self) -> None:
        """Print how to resume the game; delete a temporary file in which nothing was played."""
        if self.is_worth_saving or not self.is_temporary:
            console.print(f"Saved. Resume with: {program()} resume {self.shell_path}", soft_wrap=True)
        else:
            self.path.unlink(missing_ok=True)
            console.print("Nothing was played, so nothing was saved.")

    def close(self) -> None:
        """Stop the external programs that were playing."""
        for name in self.seats:
            close = None if name == PERSON else bot(name).close
            if close:
                close()

    def save(self) -> None:
        """Write the game to its file."""
        write_safely(self.path, self.record.text)

    def _play(self, position: Position, action: int) -> None:
        if position.actor >= 0:
            self._print_ply(position, action)
        self.record = self.record.play(action, by=position.actor)
        self._changed()
        if self.position.round != position.round or self.position.actor == OVER:
            print_round(self.record, position.round, self.names)

    def _changed(self) -> None:
        self.is_board_printed = False
        self.listed_actions = []
        self.save()

    def _chance(self, position: Position) -> None:
        if not self.typed:
            # The stream is named by the number of the deal: after an undo the same tiles are dealt again.
            stream = Stream("play", self.seed, "chance", self.record.chance_plies)
            action = position.draw(stream)
            self._play(position, action)
            self._print_draw(position, action)
            return
        self._print_board(position)
        example = position.moves()[len(position.moves()) // 2]
        self._ask(position, f"Deal, such as {example} > ")

    def _bot(self, position: Position) -> None:
        seat = position.actor
        stream = Stream("play", self.seed, self.seats[seat], seat, len(self.record.plies))
        try:
            with spinner(f"{self.names[seat]} is thinking ..."):
                action = bot(self.seats[seat]).choose(position.seen_by(seat), stream)
        except Refused as error:  # an external program failed
            console.print(str(error), style="red")
            raise Leave from None
        self._play(position, action)

    def _as_known(self, position: Position, action: int) -> tuple[BasePosition, int]:
        """A position and an action as far as all people at the screen may know them."""
        if not self.hides_hands:
            return position, action
        viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
        return position.seen_by(viewer), position.veiled(action, viewer)

    def _print_ply(self, position: Position, action: int) -> None:
        """Print what a player did."""
        print_ply(*self._as_known(position, action), self.names)

    def _print_draw(self, position: Position, action: int) -> None:
        """Print the card that the person at the screen has drawn after a turn. Everything else that chance does is on
        the board, or hidden."""
        if not self.hides_hands or [ply.actor >= 0 for ply in self.record.plies[-2:]] != [True, False]:
            return
        known, seen = self._as_known(position, action)
        if self.position.actor >= 0 and position.veiled(action, SPECTATOR) != seen == action:
            print_ply(known, seen, self.names)

    def _person(self, position: Position) -> None:
        if self.hides_hands and len(self.people) > 1 and self.viewer != position.actor:
            self._hand_over_keyboard(position.actor)
        self._print_board(position)
        self._ask(position, f"{self.names[position.actor]} > ")

    def _hand_over_keyboard(self, seat: int) -> None:
        """Clear the screen before the next person sees it, because hands are hidden."""
        self.viewer = None
        if console.is_terminal:
            console.file.write("\x1b[2J\x1b[3J\x1b[H")  # including the scrollback
        name = (self.names[seat], "bold")
        console.print(Text.assemble("\nPass the keyboard to ", name, ". Everybody else, please look away."))
        self._print_moves_since(seat)
        try:
            ask("Press Enter to see your hand > ")
        except EOFError:
            raise Leave from None
        self.viewer = seat
        self.is_board_printed = False

    def _print_moves_since(self, seat: int) -> None:
        """Print what the others have played since this seat last acted."""
        plies = self.record.plies
        first = max((k + 1 for k, ply in enumerate(plies) if ply.actor == seat), default=0)
        position = self.record.position(first)
        for ply in plies[first:]:
            if ply.actor >= 0:
                self._print_ply(position, ply.action)
            position = position.play(ply.action)

    def _print_board(self, position: Position) -> None:
        if not self.is_board_printed:
            console.print()
            print_board(self.visible(position), self.names)
            self.is_board_printed = True
            moves = position.moves()
            if position.actor >= 0 and len(moves) <= 6:
                console.print(f"Legal: {' '.join(map(str, moves))}", style="dim")

    def _ask(self, position: Position, prompt: str) -> None:
        """Read one line: a command, a number from the list, or a move."""
        try:
            line = ask(prompt)
        except EOFError:
            raise Leave from None
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "moves": lambda: self._list(position),
            "board": lambda: print_board(self.visible(position), self.names),
            "score": lambda: print_score(position, self.names),
            "text": lambda: console.print(self.visible(position).text, soft_wrap=True),
            "rules": lambda: print_rules(position.game.help),
            "hint": lambda: print_hint(position, self.seed),
            "help": lambda: print_commands(position.game),
            "?": lambda: print_commands(position.game),
            "undo": self._undo,
            "save": lambda: self._save(rest.strip()),
            "try": lambda: self._preview(position, rest.strip()),
        }
        if not line:
            console.print("Type a move or help.", style="dim")
        elif word.lower() in ("quit", "exit", "q"):
            raise Leave
        elif word.lower() == "new":
            raise AnotherGame
        elif word.lower() in commands:
            commands[word.lower()]()
        else:
            self._play_line(position, line)

    def _play_line(self, position: Position, line: str) -> None:
        """Play what was typed, or print why not. The deals of a whole round may be typed in one line."""
        words = line.split()
        if self.typed and position.actor == CHANCE and len(words) > 1 and not self._is_move(position, line):
            for word in words:
                action = self._typed_action(self.position, word)
                if action is None:
                    return
                self._play(self.position, action)
            return
        action = self._typed_action(position, line)
        if action is not None:
            self._play(position, action)

    def _is_move(self, position: Position, line: str) -> bool:
        """Whether a line is one move, legal or not."""
        try:
            position.read_move(line)
        except NotAMove:
            return False
        except Refused:
            return True
        return True

    def _preview(self, position: Position, line: str) -> None:
        """Print what a move would do, as far as the person at the screen can know it."""
        if not line:
            console.print("Type a move after try.", style="dim")
            return
        action = self._typed_action(position, line)
        if action is None:
            return
        known = self.visible(position)
        if known.refusal(action):  # it shows a hidden card, as accepting a swap does
            known, action = position.seen_by(SPECTATOR), position.veiled(action, SPECTATOR)
        print_ply(known, action, self.names, lead="Preview of ")

    def _typed_action(self, position: Position, line: str) -> int | None:
        """The action of a typed move, or of a number from the list; None, after printing why, if it is not legal."""
        try:
            return self._action(position, line)
        except NotAMove as error:
            console.print(f"{error}\nType help for all commands.", style="yellow")
        except Refused as error:
            console.print(f"Not legal here: {error}", style="yellow")
        return None

    def _action(self, position: Position, line: str) -> int:
        if line.isascii() and line.isdigit():
            number = int(line[:6])
            if not self.listed_actions:
                raise NotAMove("a number picks from the list of moves: type moves first")
            if not 1 <= number <= len(self.listed_actions):
                raise NotAMove(f"the list has the numbers 1 to {len(self.listed_actions)}")
            return self.listed_actions[number - 1]
        return position.read_move(line).action

    def _list(self, position: Position) -> None:
        """Print all legal moves, numbered, in columns."""
        moves = position.moves()
        self.listed_actions = [move.action for move in moves]
        group_key = position.game.group_key
        for _, group in groupby(enumerate(moves, start=1), lambda pair: group_key(pair[1])):
            pairs = list(group)
            width = max(6, *(len(move.text) for _, move in pairs))
            cells = [f"{number:>3} {move.text:<{width}}" for number, move in pairs]
            per_line = max(1, (console.width + 1) // (width + 5))
            for first in range(0, len(cells), per_line):
                console.print(" ".join(cells[first : first + per_line]).rstrip())
        console.print("Type a number or a move.", style="dim")

    def _undo(self) -> None:
        """Take back the last move of a person, with the replies of bots and the deals after it."""
        if self.seats.count(PERSON) > 1 and not self.typed:
            # With typed deals, undo only corrects what was typed wrongly.
            console.print("Undo is for games against bots: the others have seen your move.", style="yellow")
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
            console.print(f"The game is saved in {self.path}", soft_wrap=True)
            return
        try:
            write_new(Path(name).expanduser(), self.record.text)
        except (Refused, RuntimeError) as error:  # RuntimeError: no home folder, as for ~nobody
            console.print(f"Not saved: {error}", style="red")
        else:
            console.print(f"Saved a copy to {name}", soft_wrap=True)
