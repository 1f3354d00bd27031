"""The digest of a table's log: a hash of all its events in their order, which a store keeps with the last number.

Each digest contains the one before. So an event that was changed, swapped, lost or cut off at the end is noticed, as
long as whoever did it has not computed the digests again.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

DIGEST_BYTES = 16
NO_EVENTS = ""  # the digest of an empty log


def extend_digest(digest: str, texts: Iterable[str]) -> str:
    """The digest of a log to which events are added, from the digest of the log before."""
    for text in texts:
        digest = blake2b(f"{digest}{text}".encode(), digest_size=DIGEST_BYTES).hexdigest()
    return digest
