"""Find hosts that other requests of this worker change during one.

Nova's threads share host states: one takes room of a host, or reads its row
anew, while another ranks it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

#: What differs once a request took room of a host, or read its row.
_VERSION = ('updated', 'free_ram_mb')


class WatchedHosts:
    """Watch host states from a request's first ranking to its last.

    :param states: Nova's, of the first ranking.
    :param kept: the attributes of each, as the journal keeps them.
    """

    def __init__(
        self, states: Iterable[Any], kept: Iterable[Mapping[str, Any]]
    ) -> None:
        self._seen = [
            (state, [values.get(name) for name in _VERSION])
            for state, values in zip(states, kept, strict=True)
        ]
        self._while_ranking: set[str] = set()
        self._between: set[str] = set()

    def begin_ranking(self) -> None:
        """Note what changed since the last ranking."""
        self._between |= self._find_changed()

    def end_ranking(self) -> None:
        """Note what changed since the ranking began."""
        self._while_ranking |= self._find_changed()

    def list_foreign(self, taken: Collection[str]) -> Sequence[str]:
        """Return the hosts that others changed.

        :param taken: hosts that the request took between its rankings.
        """
        return sorted(self._while_ranking | (self._between - set(taken)))

    def _find_changed(self) -> set[str]:
        changed = set()
        for place, (state, before) in enumerate(self._seen):
            now = [getattr(state, name, None) for name in _VERSION]
            if now != before:
                self._seen[place] = state, now
                changed.add(state.host)
        return changed
