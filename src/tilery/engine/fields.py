"""The fields of one JSON object, read strictly: every refusal names the field it is about."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from tilery.core.refusals import Refused


class Wrong(Refused):
    """A line that cannot be answered: the id it carries (if one could be read), the field, and the problem."""

    def __init__(self, problem: str, field: str | None = None, id: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.field = field
        self.id = id


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Wrong(f"{name[:40]!a} stands here twice", name[:200])
        found[name] = value
    return found


def _no_number(text: str) -> NoReturn:
    raise Wrong(f"{text} is not a number of JSON")


def read_object(line: bytes) -> dict[str, Any]:
    """One JSON object; nothing else, no name twice, no NaN."""
    try:
        found = json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Wrong(f"the line is not UTF-8 (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        raise Wrong(f"the line is not JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise Wrong("the line is nested too deeply") from None
    except Wrong:
        raise
    except ValueError:  # of a whole number with thousands of digits
        raise Wrong("the line has a number that is too long") from None
    if not isinstance(found, dict):
        raise Wrong('expected a JSON object, such as {"id": "1", "action": "query_version"}')
    return found


def _shown(value: object) -> str:
    """What was found, for an error message."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


class Fields:
    """The fields of an object; each is asked for once, and what is left was never known."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def names(self) -> list[str]:
        """The fields that nobody has asked for yet."""
        return list(self._values)

    def text(self, name: str, *, longest: int = 200, empty: bool = False) -> str | None:
        """A text, None where the field is not there."""
        if name not in self._values:
            return None
        value = self._values.pop(name)
        if not isinstance(value, str):
            raise Wrong(f"expected a text, found {_shown(value)}", name)
        if len(value) > longest:
            raise Wrong(f"expected at most {longest:,} characters, found {len(value):,}", name)
        if not value and not empty:
            raise Wrong("expected a text that is not empty", name)
        return value

    def whole(self, name: str, low: int, high: int) -> int | None:
        """A whole number, None where the field is not there."""
        if name not in self._values:
            return None
        return self._whole(self._values.pop(name), name, low, high)

    def _whole(self, value: object, name: str, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Wrong(f"expected a whole number, found {_shown(value)}", name)
        if not low <= value <= high:
            raise Wrong(f"expected a number from {low} to {high}, found {_shown(value)}", name)
        return value

    def seconds(self, name: str, low: float = 0.0, high: float = 1e9) -> float | None:
        """A number of seconds above the lowest one, None where the field is not there."""
        if name not in self._values:
            return None
        value = self._values.pop(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Wrong(f"expected seconds, found {_shown(value)}", name)
        if not (math.isfinite(value) and 0 < value <= high and value >= low):
            least = f"from {low:g}" if low else "above 0"
            raise Wrong(f"expected seconds {least} up to {high:,.0f}, found {_shown(value)}", name)
        return float(value)

    def wholes(self, name: str, low: int, high: int, most: int) -> list[int] | None:
        """A list of different whole numbers, at least one of them; None where the field is not there."""
        if name not in self._values:
            return None
        found = [self._whole(value, name, low, high) for value in self._listed(name, most)]
        if len(set(found)) < len(found):
            raise Wrong("expected every number once", name)
        return found

    def texts(self, name: str, most: int) -> list[str] | None:
        """A list of texts, at least one of them; None where the field is not there."""
        if name not in self._values:
            return None
        found = self._listed(name, most)
        for value in found:
            if not isinstance(value, str):
                raise Wrong(f"expected a list of texts, found {_shown(value)} in it", name)
        return found

    def _listed(self, name: str, most: int) -> list[Any]:
        value = self._values.pop(name)
        if not isinstance(value, list) or not value:
            raise Wrong(f"expected a list that is not empty, found {_shown(value)}", name)
        if len(value) > most:
            raise Wrong(f"expected at most {most:,} of them, found {len(value):,}", name)
        return value

    def seed(self, name: str) -> int | str | None:
        """A text or a whole number, None where the field is not there."""
        if isinstance(self._values.get(name), str):
            return self.text(name, longest=5000, empty=True)
        return self.whole(name, -(1 << 63), (1 << 64) - 1)
