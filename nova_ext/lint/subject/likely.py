"""Which name was meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def likely(name: str, names: Iterable[str]) -> str | None:
    """The known name that a misspelt one is closest to; None: none is.

    Letter case does not count, nor what quotes and brackets leave around.
    """
    known = {known.lower(): known for known in sorted(names)}
    bare = name.strip('[](){}\'" ').lower()
    close = get_close_matches(bare, known, n=1, cutoff=0.8)
    return known[close[0]] if close else None
