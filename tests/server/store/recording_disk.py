"""Records what SQLite writes to its files: a VFS of SQLite, its layer below everything, made of the usual one."""

from __future__ import annotations

import _sqlite3
import contextlib
import ctypes
import os
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import NamedTuple

import pytest

FILES = {"database": "", "log": "-wal", "journal": "-journal"}  # what their names end with
KINDS = {0x100: "database", 0x80000: "log", 0x800: "journal"}  # by the flags of `xOpen`
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", c_int),
        ("file_bytes", c_int),
        ("max_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        ("others", c_void_p * 13),
    )


class _Methods(ctypes.Structure):
    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    )


class _File(ctypes.Structure):
    _fields_ = (("methods", POINTER(_Methods)),)


class Step(NamedTuple):
    """One thing that happened to a file, or ("said") something that a test wants to remember at this moment."""

    what: str  # "write", "truncate", "delete", "sync", "said"
    file: str = ""  # one of `FILES`, or "folder"
    offset: int = 0  # of a write; the new size of a truncated file
    data: bytes = b""
    said: object = None


class Recorder:
    """Everything that was written while it was installed, in order. Skips the test if SQLite cannot be reached, and
    fails in CI."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        if not hasattr(self._library, "sqlite3_vfs_find"):
            text = "this Python does not export the functions of its SQLite"
            if os.environ.get("CI"):
                pytest.fail(text)
            pytest.skip(text)
        self._library.sqlite3_vfs_find.restype = c_void_p
        self._usual = self._library.sqlite3_vfs_find(None)
        usual = _Vfs.from_address(self._usual)
        self._usual_open, self._usual_delete = _Open(usual.open), _Delete(usual.delete)
        self._vfs = _Vfs.from_buffer_copy(usual)
        self._vfs.name = b"recording"
        self._open, self._delete = _Open(self._on_open), _Delete(self._on_delete)
        self._vfs.open = ctypes.cast(self._open, c_void_p)
        self._vfs.delete = ctypes.cast(self._delete, c_void_p)
        self._methods: dict[int, _Methods] = {}  # by the address of the usual ones
        self._callbacks: list[object] = []  # kept alive
        self._names: dict[int, str] = {}  # of files, by their address
        self._new: set[int] = set()  # files whose first sync is one of the folder, too, as SQLite's source says

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Record what connections that are opened meanwhile write."""
        assert self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1) == 0
        try:
            yield
        finally:
            self._library.sqlite3_vfs_register(c_void_p(self._usual), 1)
            self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    def say(self, what: object) -> None:
        self.steps.append(Step("said", said=what))

    def _on_open(self, _: int, name: int, file: int, flags: int, result: int) -> int:
        kind = next((kind for flag, kind in KINDS.items() if flags & flag), "")
        is_new = kind != "database" and bool(kind) and not os.path.exists(ctypes.string_at(name))
        code: int = self._usual_open(self._usual, name, file, flags, result)
        self._names.pop(file, None)
        self._new.discard(file)
        if code == 0 and is_new:
            self._new.add(file)
        if code == 0 and kind:
            self._names[file] = kind
            opened = _File.from_address(file)
            opened.methods = ctypes.pointer(self._recording(opened.methods))
        return code

    def _on_delete(self, _: int, name: bytes, sync: int) -> int:
        kind = next((kind for kind, end in FILES.items() if end and name.endswith(end.encode())), "")
        if kind:
            self.steps.append(Step("delete", kind))
        code = int(self._usual_delete(self._usual, name, sync))
        if kind and sync:  # of the folder
            self.steps.append(Step("sync", "folder"))
        return code

    def _recording(self, usual: ctypes._Pointer[_Methods]) -> _Methods:
        """The usual methods of a file, but three of them record."""
        address = ctypes.addressof(usual.contents)
        if address in self._methods:
            return self._methods[address]
        methods = _Methods.from_buffer_copy(usual.contents)
        write, truncate, sync = _Write(methods.write), _Truncate(methods.truncate), _Sync(methods.sync)

        def on_write(file: int, data: int, count: int, offset: int) -> int:
            self.steps.append(Step("write", self._names[file], offset, ctypes.string_at(data, count)))
            return int(write(file, data, count, offset))

        def on_truncate(file: int, size: int) -> int:
            self.steps.append(Step("truncate", self._names[file], size))
            return int(truncate(file, size))

        def on_sync(file: int, flags: int) -> int:
            code = int(sync(file, flags))
            self.steps.append(Step("sync", self._names[file]))
            if file in self._new:
                self._new.discard(file)
                self.steps.append(Step("sync", "folder"))
            return code

        callbacks = _Write(on_write), _Truncate(on_truncate), _Sync(on_sync)
        self._callbacks += callbacks
        methods.write, methods.truncate, methods.sync = (ctypes.cast(each, c_void_p) for each in callbacks)
        self._methods[address] = methods
        return methods
