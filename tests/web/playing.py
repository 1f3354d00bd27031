"""How people play: a turn is put together out of what the page lights up, by really pressing it.

Nobody here asks the server what is legal. The page says by `data-legal` what can be pressed, by `data-plies` how far
the game is that it shows, and by `data-status` whether it is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import Locator

from tests.web.people import Person

# What the one to move can begin with; and the cover that lies between two people at one device.
BEGINNINGS = ", ".join(
    (
        *(f"[data-{hook}][data-legal]" for hook in ("take", "cell", "card", "kind", "token", "swap")),
        *(f"[data-act='{act}']" for act in ("pass", "no-token", "accept", "decline", "lift")),
    )
)
_READY = f"""() => document.querySelector('[data-status="over"]') ||
  [...document.querySelectorAll(`{BEGINNINGS}`)].some((one) => one.checkVisibility())"""


# What the board in words asks now: the answers that it offers; nothing while somebody else is to move.
_QUESTION = """() => [...document.querySelectorAll("[data-text='choices'] button[data-legal]")]
  .map((one) => one.dataset.value).join(' ')"""
_ASKED = f"""([before, plies]) => Number(document.querySelector('[data-plies]').dataset.plies) !== plies ||
  !['', before].includes(({_QUESTION})())"""
# Sides of the spreader for colours of which nothing is said yet.
_UNSAID = """all => {
  const said = new Set(all.filter((one) => one.ariaPressed === 'true').map((one) => one.dataset.pass[0]));
  return all.map((one) => one.dataset.pass).filter((pass) => !said.has(pass[0]));
}"""


def plies(person: Person) -> int:
    """How far the game is that the page shows."""
    return int(person.find("plies").get_attribute("data-plies") or 0)


def is_over(person: Person) -> bool:
    """Whether the page says so."""
    return person.find("status", "over").count() > 0


def wait_for_turn(person: Person) -> bool:
    """Wait until this person is to move; False if the game is over."""
    person.page.wait_for_function(_READY)
    return not is_over(person)


def moved(person: Person, before: int) -> None:
    """Wait until the page shows that the game has gone on."""
    person.page.wait_for_function(
        "before => Number(document.querySelector('[data-plies]')?.dataset.plies) !== before", arg=before
    )


def one_of(person: Person, hook: str, values: Sequence[str]) -> Locator:
    """One of several things, by chance."""
    return person.find(hook, person.chance.choice(list(values))).and_(person.page.locator(":visible")).first


def confirm(person: Person) -> None:
    """The last word, where the settings ask for it."""
    if person.asks:
        person.act("confirm")


def azul_turn(person: Person) -> None:
    """Take tiles and lay them down, or choose a column of the grey wall."""
    if cells := person.values("cell"):
        person.hand.press(one_of(person, "cell", cells))
        return confirm(person)
    person.hand.press(one_of(person, "take", person.values("take")))
    person.page.locator("[data-line][data-legal]").first.wait_for(state="attached")
    lines = person.values("line")
    assert lines, "something was taken, and no line lights up"
    useful = [line for line in lines if line != "F"] or lines
    first = [line for line in useful if line in "12"] if person.chance.random() < 0.7 else []
    person.hand.press(one_of(person, "line", first or useful))
    while asked := person.page.locator("[data-pass][data-legal]").evaluate_all(_UNSAID):  # the spreader, by colour
        person.hand.press(one_of(person, "pass", asked))
    confirm(person)


def schokoly_turn(person: Person) -> None:
    """Choose a kind, lay a card, secure one, pass, or say something to a swap."""
    if kinds := person.values("kind"):
        person.hand.press(one_of(person, "kind", kinds))
    elif person.find("act", "accept").count():
        person.act(person.chance.choice(["accept", "accept", "decline"]))
    elif swaps := person.values("swap"):
        person.hand.press(one_of(person, "swap", swaps))
    elif person.find("act", "no-token").count():
        secure(person)
    elif person.find("act", "pass").count():
        person.act("pass")
    elif person.find("act", "swap").count() and person.chance.random() < 0.3:
        person.act("swap")
        person.find("swap").first.wait_for()
        person.hand.press(one_of(person, "swap", person.values("swap")))
    else:
        lay(person)
    confirm(person)


def secure(person: Person) -> None:
    """A token on a card, or none: by the buttons, or on the table itself."""
    tokens = person.values("token")
    way = person.chance.random() if tokens else 1.0
    if way < 0.15:
        person.hand.press(one_of(person, "token", tokens))
    else:
        person.act("token" if way < 0.3 else "no-token")


def lay(person: Person) -> None:
    """A card of the hand that fits somewhere, turned now and then, sometimes onto the second level."""
    cards = person.values("card")
    person.chance.shuffle(cards)
    for card in cards:
        person.hand.press(person.find("card", card).and_(person.page.locator("[data-legal]")).first)
        spots = person.page.locator("[data-spot]")
        if not spots.count():
            continue
        if person.chance.random() < 0.4:
            person.act("rotate")
        up = person.page.locator("[data-spot][data-level='2'][data-legal]")
        fitting = up if up.count() and person.chance.random() < 0.4 else person.page.locator("[data-spot][data-legal]")
        chosen = fitting if fitting.count() else spots
        person.hand.press(chosen.nth(person.chance.randrange(chosen.count())))
        return
    raise AssertionError("no card fits anywhere, and passing is not offered")


def text_turn(person: Person) -> None:
    """The same on the board in words: question after question, each answered by one of its buttons."""
    if takes := person.values("take"):
        person.hand.press(one_of(person, "take", takes))
    answers = person.page.locator("[data-text='choices'] button[data-legal]")
    begin, before = plies(person), ""
    for _ in range(6):
        person.page.wait_for_function(_ASKED, arg=[before, begin])
        if plies(person) != begin:
            return
        before = str(person.page.evaluate(_QUESTION))
        wise = answers.and_(person.page.locator(":not([data-line='F'], [data-act='offer'])"))
        chosen = wise if wise.count() else answers
        person.hand.press(chosen.nth(person.chance.randrange(chosen.count())))
    raise AssertionError("the questions do not end")


TURNS: dict[str, Callable[[Person], None]] = {"azul": azul_turn, "chocolatier": azul_turn, "schokoly": schokoly_turn}


def take_turn(person: Person, game: str) -> None:
    """One whole ply, until the page shows it."""
    before = plies(person)
    turn = text_turn if person.find("text", "move").count() else TURNS[game]
    turn(person)
    moved(person, before)


def play_with_bots(person: Person, game: str, most: int = 400) -> int:
    """Play until the game is over; returns how many plies this person has made."""
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
    """Several people play until the game is over, each at their own browser; the first one sits at seat 0."""
    for _ in range(most):
        state = people[0].clerk.state(table)
        if state["status"] == "over":
            for person in people:
                person.find("status", "over").wait_for()
            return
        actor = people[state["actor"]]
        assert wait_for_turn(actor)
        take_turn(actor, game)
    raise AssertionError(f"after {most} moves the game is not over")
