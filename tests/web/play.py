"""Playing as people do: a turn is composed by pressing what the board highlights.

Nothing here asks the server what is legal. `data-legal` marks what can be pressed, `data-plies` is the number of
plies shown, and `data-status` whether the game is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import Locator

from tests.web.people import Person

# What a turn can begin with, and the cover between two people at one device.
BEGINNINGS = ", ".join(
    (
        *(f"[data-{hook}][data-legal]" for hook in ("take", "cell", "card", "kind", "token", "swap")),
        *(f"[data-act='{act}']" for act in ("pass", "no-token", "accept", "decline", "lift")),
    )
)
_READY = f"""() => document.querySelector('[data-status="over"]') ||
  [...document.querySelectorAll(`{BEGINNINGS}`)].some((one) => one.checkVisibility())"""


# The answers to the current question of the text board; empty while somebody else is to move.
_QUESTION = """() => [...document.querySelectorAll("[data-text='choices'] button[data-legal]")]
  .map((one) => one.dataset.value).join(' ')"""
_ASKED = f"""([before, plies]) => Number(document.querySelector('[data-plies]').dataset.plies) !== plies ||
  !['', before].includes(({_QUESTION})())"""
# Sides of the spreader for colours that are not decided yet.
_UNDECIDED = """all => {
  const decided = new Set(all.filter((one) => one.ariaPressed === 'true').map((one) => one.dataset.pass[0]));
  return all.map((one) => one.dataset.pass).filter((pass) => !decided.has(pass[0]));
}"""


def plies(person: Person) -> int:
    """How many plies of the game the page shows."""
    return int(person.find("plies").get_attribute("data-plies") or 0)


def is_over(person: Person) -> bool:
    """Whether the page shows that the game is over."""
    return person.find("status", "over").count() > 0


def wait_for_turn(person: Person) -> bool:
    """Wait until it is this person's turn; False if the game is over."""
    person.page.wait_for_function(_READY)
    return not is_over(person)


def wait_for_move(person: Person, before: int) -> None:
    """Wait until the number of plies that the page shows is no longer `before`."""
    person.page.wait_for_function(
        "before => Number(document.querySelector('[data-plies]')?.dataset.plies) !== before", arg=before
    )


def one_of(person: Person, hook: str, values: Sequence[str]) -> Locator:
    """One of several elements, at random."""
    return person.find(hook, person.chance.choice(list(values))).and_(person.page.locator(":visible")).first


def confirm(person: Person) -> None:
    """Confirm the move if the settings ask for it."""
    if person.confirms:
        person.act("confirm")


def sometimes(person: Person, act: str, probability: float) -> str:
    """The name of a button, or nothing: the first time always the button, so that every game covers it."""
    return act if act not in person.pressed or person.chance.random() < probability else ""


def azul_turn(person: Person) -> None:
    """Take tiles and place them, or choose a column of the grey wall."""
    if cells := person.values("cell"):
        person.device.press(one_of(person, "cell", cells))
        return confirm(person)
    person.device.press(one_of(person, "take", person.values("take")))
    person.page.locator("[data-line][data-legal]").first.wait_for(state="attached")
    lines = person.values("line")
    assert lines, "tiles were taken, and no line is highlighted"
    useful = [line for line in lines if line != "F"] or lines
    first = [line for line in useful if line in "12"] if person.chance.random() < 0.7 else []
    person.device.press(one_of(person, "line", first or useful))
    while asked := person.page.locator("[data-pass][data-legal]").evaluate_all(_UNDECIDED):  # the spreader, by colour
        person.device.press(one_of(person, "pass", asked))
    confirm(person)


def schokoly_turn(person: Person) -> None:
    """Choose a kind, lay a card, secure one, pass, or answer a swap. What nobody has done yet is done if possible."""
    if kinds := person.values("kind"):
        person.device.press(one_of(person, "kind", kinds))
    elif person.find("act", "accept").count():
        person.act("accept" if "accept" not in person.done or person.chance.random() < 0.7 else "decline")
    elif swaps := person.values("swap"):
        person.device.press(one_of(person, "swap", swaps))
    elif person.find("act", "no-token").count():
        secure(person)
    elif person.find("act", "pass").count():
        person.act("pass")
    elif person.find("act", "swap").count() and ("accept" not in person.done or person.chance.random() < 0.3):
        person.act("swap")
        person.find("swap").first.wait_for()
        person.device.press(one_of(person, "swap", person.values("swap")))
    else:
        lay(person)
    confirm(person)


def secure(person: Person) -> None:
    """Put a token on a card or decline, with the buttons or on the table."""
    tokens = person.values("token")
    if tokens and person.chance.random() < 0.15:
        person.device.press(one_of(person, "token", tokens))
    else:
        person.act(sometimes(person, "token", 0.15) or "no-token")


def lay(person: Person) -> None:
    """Lay a card that fits somewhere, sometimes turned, sometimes on the second level."""
    cards = person.values("card")
    person.chance.shuffle(cards)
    spots, up = person.page.locator("[data-spot]"), person.page.locator("[data-spot][data-level='2']")
    stacks = "stack" not in person.done or person.chance.random() < 0.4
    for wanted in (up, spots) if stacks else (spots,):
        for card in cards:
            person.device.press(person.find("card", card).and_(person.page.locator("[data-legal]")).first)
            if not wanted.count():
                continue
            if person.chance.random() < 0.4:
                person.act("rotate")
            fitting = wanted.and_(person.page.locator("[data-legal]"))
            chosen = fitting if fitting.count() else wanted
            place = chosen.nth(person.chance.randrange(chosen.count()))
            if place.get_attribute("data-level") == "2":
                person.done.add("stack")
            person.device.press(place)
            return
    raise AssertionError("no card fits anywhere, and passing is not offered")


def text_turn(person: Person) -> None:
    """A turn on the text board: question after question, each answered with one of its buttons."""
    if takes := person.values("take"):
        person.device.press(one_of(person, "take", takes))
    responses = person.page.locator("[data-text='choices'] button[data-legal]")
    begin, before = plies(person), ""
    for _ in range(6):
        person.page.wait_for_function(_ASKED, arg=[before, begin])
        if plies(person) != begin:
            return
        before = str(person.page.evaluate(_QUESTION))
        sensible = responses.and_(person.page.locator(":not([data-line='F'], [data-act='offer'])"))
        chosen = sensible if sensible.count() else responses
        person.device.press(chosen.nth(person.chance.randrange(chosen.count())))
    raise AssertionError("the questions never end")


TURNS: dict[str, Callable[[Person], None]] = {"azul": azul_turn, "chocolatier": azul_turn, "schokoly": schokoly_turn}


def take_turn(person: Person, game: str) -> None:
    """Make one ply and wait until the page shows it."""
    before = plies(person)
    turn = text_turn if person.find("text", "move").count() else TURNS[game]
    turn(person)
    wait_for_move(person, before)


def play_with_bots(person: Person, game: str, most: int = 400) -> int:
    """Play until the game is over; return how many plies this person made."""
    for count in range(most):
        if not wait_for_turn(person):
            return count
        take_turn(person, game)
    raise AssertionError(f"after {most} moves the game is not over")


def play_some(person: Person, game: str, count: int) -> None:
    """Play a few turns against bots."""
    for _ in range(count):
        assert wait_for_turn(person)
        take_turn(person, game)


def play_together(people: Sequence[Person], game: str, table: str, most: int = 600) -> None:
    """Several people play until the game is over, each in their own browser, in the order of the seats."""
    for person in people:
        person.done = people[0].done
    for _ in range(most):
        state = people[0].api.state(table)
        if state["status"] == "over":
            for person in people:
                person.find("status", "over").wait_for()
            return
        actor = people[state["actor"]]
        assert wait_for_turn(actor)
        take_turn(actor, game)
    raise AssertionError(f"after {most} moves the game is not over")
