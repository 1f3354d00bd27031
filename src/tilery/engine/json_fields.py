"""Strict reading of the fields of a JSON object: every error names its field."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from tilery.core.refusals import Refused


class InvalidRequest(Refused):
    """A request that cannot be handled: its id (if it could be read), the field, and the problem."""

    def __init__(self, problem: str, field: str | None = None, id: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.field = field
        self.id = id


def _without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise InvalidRequest(f"the field {name[:40]!a} is given twice", name[:200])
        values[name] = value
    return values


def _refuse_constant(text: str) -> NoReturn:
    raise InvalidRequest(f"{text} is not a JSON number")


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; duplicate names and NaN are refused."""
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"the line is not UTF-8 (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"the line is not JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise InvalidRequest("the line is nested too deeply") from None
    except InvalidRequest:
        raise
    except ValueError:  # an integer with thousands of digits
        raise InvalidRequest("a number in the line is too long") from None
    if not isinstance(value, dict):
        raise InvalidRequest('expected a JSON object, such as {"id": "1", "action": "query_version"}')
    return value


def _shown(value: object) -> str:
    """A value in an error message."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


class Fields:
    """The fields of an object. Reading a field removes it, so the fields that are left are unknown ones."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def names(self) -> list[str]:
        """The fields that have not been read."""
        return list(self._values)

    def text(self, name: str, *, max_length: int = 200, empty: bool = False) -> str | None:
        """A string; None if the field is missing."""
        if name not in self._values:
            return None
        value = self._values.pop(name)
        if not isinstance(value, str):
            raise InvalidRequest(f"expected a text, found {_shown(value)}", name)
        if len(value) > max_length:
            raise InvalidRequest(f"expected at most {max_length:,} characters, found {len(value):,}", name)
        if not value and not empty:
            raise InvalidRequest("expected a text that is not empty", name)
        return value

    def whole(self, name: str, low: int, high: int) -> int | None:
        """An integer; None if the field is missing."""
        if name not in self._values:
            return None
        return self._whole(self._values.pop(name), name, low, high)

    def _whole(self, value: object, name: str, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidRequest(f"expected a whole number, found {_shown(value)}", name)
        if not low <= value <= high:
            raise InvalidRequest(f"expected a number from {low} to {high}, found {_shown(value)}", name)
        return value

    def seconds(self, name: str, low: float = 0.0, high: float = 1e9) -> float | None:
        """A positive number of seconds from `low` to `high`; None if the field is missing."""
        if name not in self._values:
            return None
        value = self._values.pop(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidRequest(f"expected seconds, found {_shown(value)}", name)
        if not (math.isfinite(value) and 0 < value <= high and value >= low):
            least = f"from {low:g}" if low else "above 0"
            raise InvalidRequest(f"expected seconds {least} up to {high:,.0f}, found {_shown(value)}", name)
        return float(value)

    def wholes(self, name: str, low: int, high: int, max_items: int) -> list[int] | None:
        """A non-empty list of distinct integers; None if the field is missing."""
        if name not in self._values:
            return None
        numbers = [self._whole(value, name, low, high) for value in self._listed(name, max_items)]
        if len(set(numbers)) < len(numbers):
            raise InvalidRequest("expected every number only once", name)
        return numbers

    def texts(self, name: str, max_items: int) -> list[str] | None:
        """A non-empty list of strings; None if the field is missing."""
        if name not in self._values:
            return None
        texts = self._listed(name, max_items)
        for value in texts:
            if not isinstance(value, str):
                raise InvalidRequest(f"expected a list of texts, found {_shown(value)} in it", name)
        return texts

    def _listed(self, name: str, max_items: int) -> list[Any]:
        value = self._values.pop(name)
        if not isinstance(value, list) or not value:
            raise InvalidRequest(f"expected a list that is not empty, found {_shown(value)}", name)
        if len(value) > max_items:
            raise InvalidRequest(f"expected at most {max_items:,} items, found {len(value):,}", name)
        return value

    def seed(self, name: str) -> int | str | None:
        """A string or an integer; None if the field is missing."""
        if isinstance(self._values.get(name), str):
            return self.text(name, max_length=5000, empty=True)
        return self.whole(name, -(1 << 63), (1 << 64) - 1)
