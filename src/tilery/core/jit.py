"""Compiling kernels with numba, caching the result and reporting progress. No other module uses numba.

A kernel is ordinary Python in a folder named `kernel`. With numba installed it is compiled; without it, or with
`TILERY_JIT=0`, the same source runs as plain Python, slowly but with the same results. Kernels therefore read every
number as `int(...)`, so that a narrow field of a row never overflows.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

_WANTED = os.environ.get("TILERY_JIT", "1").lower() not in ("0", "off", "no", "false")

try:
    if _WANTED:
        import numba
    else:
        numba = None  # importing it takes most of a second
except ImportError:  # numba is optional
    numba = None

ENABLED: bool = numba is not None and not numba.config.DISABLE_JIT


_PACKAGE = Path(__file__).resolve().parent.parent


def _family_of(source: str | Path) -> str:
    """The family of games that a kernel file belongs to, by its folder; "" for shared files and other packages."""
    path = Path(source).resolve()
    return path.parent.parent.name if path.parent.parent.parent.parent == _PACKAGE else ""


@cache
def _sources(family: str) -> list[Path]:
    """Every file that the code compiled for a family of games may depend on."""
    kernels = [path for path in _PACKAGE.rglob("*.py") if path.parent.name == "kernel"]
    return sorted([Path(__file__).resolve(), *(path for path in kernels if _family_of(path) in ("", family))])


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a home directory, as in some containers
        return Path(tempfile.gettempdir())


@cache
def cache_folder(family: str) -> Path:
    """The folder of a family's compiled kernels. Its name has a hash of their sources, so the cache is never stale."""
    chosen = os.environ.get("TILERY_CACHE")
    if chosen:
        root = Path(chosen)
    elif sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or _home()) / "tilery" / "cache"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or _home() / ".cache") / "tilery"
    digest = hashlib.sha256(f"{sys.version} {getattr(numba, '__version__', 'plain')}".encode())
    digest.update(b"bounds" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else b"")
    for path in _sources(family):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return root / f"{family or 'shared'}-{digest.hexdigest()[:16]}"


def _writable_cache(family: str) -> bool:
    try:
        cache_folder(family).mkdir(parents=True, exist_ok=True)
        return os.access(cache_folder(family), os.W_OK)
    except OSError:
        return False


def jit(function: F) -> F:
    """Compile a function that Python calls; it is loaded from the disk cache where possible."""
    if not ENABLED:
        return function
    before = numba.config.CACHE_DIR
    # numba reads this setting when a function is decorated; functions of other packages must keep their own.
    family = _family_of(function.__code__.co_filename)
    numba.config.CACHE_DIR = str(cache_folder(family))
    try:
        return _compiled(function, cache=_writable_cache(family))
    finally:
        numba.config.CACHE_DIR = before


def inlined(function: F) -> F:
    """Compile a small or hot function that only kernels call, inlined into its callers."""
    return _compiled(function, forceinline=True) if ENABLED else function


def outlined(function: F) -> F:
    """Compile a large or rarely called function that only kernels call, not inlined."""
    return _compiled(function) if ENABLED else function


def _compiled(function: F, **options: Any) -> F:
    # Kernels never allocate, so their arrays need no reference counts: those cost a tenth of the speed.
    compiled: F = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
    return compiled


# Eight small functions that Python lacks; each has a compiled and a plain implementation.
count_ones: Callable[[int], int]  # the number of set bits
lowest: Callable[[int], int]  # the index of the lowest set bit (of a number that is not 0)
highest: Callable[[int], int]  # the index of the highest set bit (of a number that is not 0)
write_eight: Callable[[Any, int, int, Any, int], None]  # out[at + k] = first + table[line, k] for k in 0 to 7
# out[at + k] = base + n + (first if n < 4 else second) with n = table[line, k], for k in 0 to 7
write_pair: Callable[[Any, int, int, int, int, Any, int], None]
eight_from: Callable[[Any, int], int]  # array[at : at + 8] as one number, little-endian
# A mask of the k in 0 to 7 for which, with n = array[at + k], both (n >> first & 255) - a and (n >> second & 255) - b
# are in 0 to most
near_eight: Callable[[Any, int, int, int, int, int, int], int]
stack_array: Callable[[int], Any]  # an uninitialised int32 array of this length, valid until the function returns

if ENABLED:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    _I32, _I64 = ir.IntType(32), ir.IntType(64)
    _EIGHT = ir.VectorType(_I32, 8)

    def _count_ones(_context: Any, _bits: Any) -> Any:
        def build(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    def _lowest(_context: Any, _bits: Any) -> Any:
        def build(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), build

    def _highest(_context: Any, _bits: Any) -> Any:
        def build(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            above = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(_I64, 63), above)

        return types.int64(types.int64), build

    def _pointer(target: Any, builder: Any, signature: Any, arguments: Any, which: int, offset: Any) -> Any:
        """The address of eight numbers of an array argument."""
        array = target.make_array(signature.args[which])(target, builder, arguments[which])
        return builder.bitcast(builder.gep(array.data, [offset]), _EIGHT.as_pointer())

    def _broadcast(builder: Any, number: Any) -> Any:
        """A vector of eight equal numbers."""
        none = ir.Constant(_EIGHT, ir.Undefined)
        alone = builder.insert_element(none, builder.trunc(number, _I32), ir.Constant(_I32, 0))
        return builder.shuffle_vector(alone, none, ir.Constant(_EIGHT, [0] * 8))

    def _write_eight(_context: Any, out: Any, _at: Any, _first: Any, _table: Any, _line: Any) -> Any:
        # Written as one vector: the loop would become eight loads and eight stores, a third of a random game's time.
        def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            _, at, first, _, line = arguments
            begin = builder.mul(line, ir.Constant(_I64, 8))
            row = builder.load(_pointer(target, builder, signature, arguments, 3, begin), align=4)
            total = builder.add(row, _broadcast(builder, first))
            builder.store(total, _pointer(target, builder, signature, arguments, 0, at), align=4)
            return target.get_dummy_value()

        table = types.Array(types.int32, 2, "C", readonly=True)
        return types.void(out, types.int64, types.int64, table, types.int64), build

    def _write_pair(
        _context: Any, out: Any, _at: Any, _base: Any, _first: Any, _second: Any, _table: Any, _line: Any
    ) -> Any:
        def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            _, at, base, first, second, _, line = arguments
            begin = builder.mul(line, ir.Constant(_I64, 8))
            row = builder.load(_pointer(target, builder, signature, arguments, 5, begin), align=4)
            is_first = builder.icmp_signed("<", row, ir.Constant(_EIGHT, [4] * 8))
            own = builder.select(is_first, _broadcast(builder, first), _broadcast(builder, second))
            total = builder.add(builder.add(own, row), _broadcast(builder, base))
            builder.store(total, _pointer(target, builder, signature, arguments, 0, at), align=4)
            return target.get_dummy_value()

        table = types.Array(types.int32, 2, "C", readonly=True)
        numbers = [types.int64] * 4
        return types.void(out, *numbers, table, types.int64), build

    def _eight_from(_context: Any, array: Any, _at: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
            place = builder.gep(data, [arguments[1]])
            return builder.load(builder.bitcast(place, _I64.as_pointer()), align=1)

        return types.int64(array, types.int64), build

    def _near_eight(
        _context: Any, array: Any, _at: Any, _first: Any, _a: Any, _second: Any, _b: Any, _most: Any
    ) -> Any:
        def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            _, at, first, a, second, b, most = arguments
            numbers = builder.load(_pointer(target, builder, signature, arguments, 0, at), align=4)

            def is_near(shift: Any, least: Any) -> Any:
                byte = builder.and_(builder.lshr(numbers, _broadcast(builder, shift)), ir.Constant(_EIGHT, [255] * 8))
                return builder.icmp_unsigned(
                    "<=", builder.sub(byte, _broadcast(builder, least)), _broadcast(builder, most)
                )

            near = builder.and_(is_near(first, a), is_near(second, b))
            return builder.zext(builder.bitcast(near, ir.IntType(8)), _I64)

        return types.int64(array, *[types.int64] * 6), build

    def _stack_array(_context: Any, count: Any) -> Any:
        # On the stack: kernels never allocate. The count must be a constant.
        if not isinstance(count, types.IntegerLiteral):
            return None
        array = types.Array(types.int32, 1, "C")

        def build(target: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
            number = ir.Constant(_I64, count.literal_value)
            place = cgutils.alloca_once(builder, ir.ArrayType(_I32, count.literal_value))
            result = target.make_array(array)(target, builder)
            result.meminfo = result.parent = ir.Constant(result.meminfo.type, None)
            result.nitems = number
            result.itemsize = ir.Constant(_I64, 4)
            result.data = builder.bitcast(place, _I32.as_pointer())
            result.shape = cgutils.pack_array(builder, [number], ty=_I64)
            result.strides = cgutils.pack_array(builder, [ir.Constant(_I64, 4)], ty=_I64)
            return result._getvalue()

        return array(count), build

    count_ones, lowest, highest = map(intrinsic, (_count_ones, _lowest, _highest))
    write_eight, write_pair = map(intrinsic, (_write_eight, _write_pair))
    eight_from, near_eight = map(intrinsic, (_eight_from, _near_eight))
    stack_array = intrinsic(prefer_literal=True)(_stack_array)

else:

    def _plain_write_pair(out: Any, at: int, base: int, first: int, second: int, table: Any, line: int) -> None:
        for k in range(8):
            which = int(table[line, k])
            out[at + k] = base + (first if which < 4 else second) + which

    def _plain_eight_from(array: Any, at: int) -> int:
        return int.from_bytes(array[at : at + 8].tobytes(), "little", signed=True)

    def _plain_near_eight(array: Any, at: int, first: int, a: int, second: int, b: int, most: int) -> int:
        numbers = [int(number) for number in array[at : at + 8]]
        near = [0 <= (x >> first & 255) - a <= most and 0 <= (x >> second & 255) - b <= most for x in numbers]
        return sum(1 << k for k, is_near in enumerate(near) if is_near)

    def _plain_stack_array(count: int) -> Any:
        return np.empty(count, dtype=np.int32)

    def _plain_lowest(bits: int) -> int:
        return (bits & -bits).bit_length() - 1

    def _plain_highest(bits: int) -> int:
        return bits.bit_length() - 1

    def _plain_write_eight(out: Any, at: int, first: int, table: Any, line: int) -> None:
        for k in range(8):
            out[at + k] = first + int(table[line, k])

    count_ones, lowest, highest = int.bit_count, _plain_lowest, _plain_highest
    write_eight, write_pair, eight_from = _plain_write_eight, _plain_write_pair, _plain_eight_from
    near_eight, stack_array = _plain_near_eight, _plain_stack_array


def _signature(words: str) -> Any:
    """The numba types of a signature such as `rows int ints`."""
    known = {
        "rows": numba.uint8[:, ::1],
        "ints": numba.int64[::1],
        "list": numba.int32[::1],
        "lists": numba.int32[:, ::1],
        "table": numba.int64[:, ::1],
        "floats": numba.float64[::1],
        "sums": numba.float64[:, ::1],
        "int": numba.int64,
        "float": numba.float64,
    }
    return tuple(known[word] for word in words.split())


def _print_status(text: str, *, end: str = "\n") -> None:
    print(text, end=end, file=sys.stderr, flush=True)


def _marker(name: str, family: str) -> Path:
    """A file that exists once these sources, at this path, are compiled for this processor (like numba's cache)."""
    from llvmlite import binding

    where = [f"{path} {path.stat().st_mtime_ns}" for path in _sources(family)]
    digest = hashlib.sha256("\n".join([binding.get_host_cpu_name(), *where]).encode(errors="surrogatepass"))
    return cache_folder(family) / f"{name.replace(' ', '-')}-{digest.hexdigest()[:12]}.ready"


def is_compiled(name: str, family: str) -> bool:
    """Whether the functions prepared under this name are in the cache and need no compiling."""
    return not ENABLED or _marker(name, family).exists()


def has_shared_cache(family: str) -> bool:
    """Whether this process can load what another process compiles."""
    return ENABLED and _writable_cache(family)


_compiling = RLock()
_warned = False


def prepare(name: str, functions: Mapping[Any, str]) -> None:
    """Compile or load functions, given as `{function: "rows int ints"}`; prints a message if it has to compile."""
    if ENABLED:
        with _compiling:  # a thread that had to wait here finds everything compiled
            _compile_all(name, {function: words for function, words in functions.items() if function._can_compile})
    elif _WANTED and numba is None:
        _warn_once()


def _warn_once() -> None:
    global _warned
    if not _warned:
        _warned = True
        _print_status("numba is not installed: the rules run as plain Python, with the same results but slowly.")


def _compile_all(name: str, functions: Mapping[Any, str]) -> None:
    family = max((_family_of(function.__code__.co_filename) for function in functions), default="")
    marker = _marker(name, family)
    cold = bool(functions) and not marker.exists()
    live = cold and sys.stderr.isatty()
    began = time.perf_counter()
    if cold:
        _print_status(f"Compiling {name} for this machine (once, up to a minute) ...")
    for number, (function, words) in enumerate(functions.items(), start=1):
        if live:
            bar = "#" * (20 * number // len(functions))
            _print_status(f"\r  [{bar:<20}] {function.__name__:<14}", end="")
        function.compile(_signature(words))
        function.disable_compile()  # other argument types must raise an error, not compile silently
    if cold:
        _print_status(("\r" if live else "") + f"Compiled in {time.perf_counter() - began:.0f} s.{'':<30}")
        if _writable_cache(family):
            marker.touch()
