"""`python -m tests.unicode_tables` writes `src/tilery/core/unicode.txt`: what looks alike, scripts, what is invisible.

The tables come from ICU, the library of the Unicode consortium, which contains the data files of Unicode, among them
confusables.txt (UTS #39). ICU is part of most Linux systems (on Debian: libicu72, which has the data of Unicode 15.0).
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parents[1] / "src/tilery/core/unicode.txt"
_DEFAULT_IGNORABLE = 5  # UCHAR_DEFAULT_IGNORABLE_CODE_POINT
_COMMON, _INHERITED = "Zyyy", "Zinh"
_BUFFER = 256


class Icu:
    """The functions of ICU that are needed, by their names without the version."""

    def __init__(self, common: str, i18n: str) -> None:
        self.version = int(common.rpartition(".so.")[2].partition(".")[0])
        self._libraries = [ctypes.CDLL(name) for name in (common, i18n)]
        self._error = ctypes.c_int(0)
        self._checker = ctypes.c_void_p(self._call("uspoof_open", ctypes.c_void_p)(ctypes.byref(self._error)))

    def _call(self, name: str, returned: Any = ctypes.c_int) -> Callable[..., Any]:
        for library in self._libraries:
            function = getattr(library, f"{name}_{self.version}", None)
            if function is not None:
                function.restype = returned
                return function  # type: ignore[no-any-return]
        raise AttributeError(name)

    def unicode_version(self) -> str:
        numbers = (ctypes.c_uint8 * 4)()
        self._call("u_getUnicodeVersion", None)(numbers)
        return ".".join(map(str, numbers[:2]))

    def skeleton(self, text: str) -> str:
        """The skeleton of a text (UTS #39, 4)."""
        data, buffer = text.encode(), ctypes.create_string_buffer(_BUFFER)
        self._error.value = 0
        size = self._call("uspoof_getSkeletonUTF8")(
            self._checker, 0, data, len(data), buffer, _BUFFER, ctypes.byref(self._error)
        )
        assert self._error.value <= 0
        return buffer.raw[:size].decode()

    def is_assigned(self, code: int) -> bool:
        return int(self._call("u_charType", ctypes.c_int8)(code)) != 0

    def is_ignorable(self, code: int) -> bool:
        return bool(self._call("u_hasBinaryProperty", ctypes.c_int8)(code, _DEFAULT_IGNORABLE))

    def scripts(self, code: int) -> frozenset[str]:
        """The scripts that a character is used in, by their ISO names (Script_Extensions)."""
        numbers = (ctypes.c_int * 64)()
        self._error.value = 0
        count = self._call("uscript_getScriptExtensions")(code, numbers, 64, ctypes.byref(self._error))
        assert self._error.value <= 0
        name = self._call("uscript_getShortName", ctypes.c_char_p)
        return frozenset(name(number).decode() for number in numbers[:count])


@cache
def icu() -> Icu | None:
    """ICU, if it is installed."""
    common, i18n = map(ctypes.util.find_library, ("icuuc", "icui18n"))
    return Icu(common, i18n) if common and i18n else None


def _hexadecimal(codes: Iterable[int]) -> str:
    return " ".join(f"{code:04X}" for code in codes)


def _ranges(codes: Iterable[int]) -> str:
    found = []
    for _, group in groupby(enumerate(sorted(codes)), lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        found.append(f"{run[0]:04X}" if len(run) == 1 else f"{run[0]:04X}-{run[-1]:04X}")
    return " ".join(found)


def table(library: Icu) -> str:
    """The text of the file."""
    confusable: dict[str, list[int]] = defaultdict(list)
    scripts: dict[str, list[int]] = defaultdict(list)
    ignorable = []
    for code in range(sys.maxunicode + 1):
        if library.is_ignorable(code):
            ignorable.append(code)
        elif library.is_assigned(code) and unicodedata.category(chr(code)) not in ("Cs", "Co"):
            letter = chr(code)
            skeleton = library.skeleton(letter)
            if skeleton != letter and unicodedata.normalize("NFD", letter) == letter:
                confusable[skeleton].append(code)
            names = library.scripts(code) - {_COMMON, _INHERITED}
            if names:
                scripts[" ".join(sorted(names))].append(code)
    parts = [
        NOTICE.format(version=library.unicode_version()),
        "[confusables]",
        *(f"{_hexadecimal(map(ord, text))}: {_hexadecimal(codes)}" for text, codes in sorted(confusable.items())),
        "[scripts]",
        *(f"{names}: {_ranges(codes)}" for names, codes in sorted(scripts.items())),
        "[ignorable]",
        _ranges(ignorable),
    ]
    return "\n".join(parts) + "\n"


NOTICE = """\
# What looks alike (UTS #39), scripts (Script_Extensions) and invisible characters (Default_Ignorable_Code_Point).
# An excerpt of the data files of Unicode {version} in another form, written by `python -m tests.unicode_tables`.
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright (c) 1991-2022 Unicode, Inc. All rights reserved.
# Distributed under the Terms of Use in https://www.unicode.org/copyright.html.
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data files and any
# associated documentation (the "Data Files") or Unicode software and any associated documentation (the "Software") to
# deal in the Data Files or Software without restriction, including without limitation the rights to use, copy, modify,
# merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data
# Files or Software are furnished to do so, provided that either (a) this copyright and permission notice appear with
# all copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated
# Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
# LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY
# RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
# SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
# WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
# PERFORMANCE OF THE DATA FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
# promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
# copyright holder."""

if __name__ == "__main__":
    found = icu()
    if found is None:
        sys.exit("ICU is not installed (on Debian: apt-get install libicu72)")
    PATH.write_text(table(found), encoding="ascii")
    print(PATH, PATH.stat().st_size)
