"""Keep what placement answered to a request, for the journal."""

from collections.abc import Iterable
from typing import Any


class PlacementAnswers:
    """Hold placement's answers; Nova may ask twice."""

    def __init__(self) -> None:
        self._answers: list[tuple[str, list[Any], dict[str, Any], Any]] = []

    def __bool__(self) -> bool:
        return bool(self._answers)

    def add(self, query: str, answer: Any) -> None:
        """Keep an answer.

        :param answer: what Nova's client returned.
        """
        requests, summaries, version = answer or (None, None, None)
        # Nova extends the lists.
        self._answers.append((
            query, list(requests or ()), dict(summaries or {}), version,
        ))

    def set_left(self, hosts: Iterable[Any]) -> None:
        """Keep what is left of an answer that was not seen.

        :param hosts: host states. Those of a rebuild have no candidates.
        """
        requests = [
            request for host in hosts for request in host.allocation_candidates
        ]
        self._answers = [('', requests, {}, None)] if requests else []

    def merge(self) -> dict[str, Any] | None:
        """Return the answers as Nova uses them; None: there is none."""
        if not self._answers:
            return None
        merged: dict[str, Any] = {
            'queries': [query for query, _, _, _ in self._answers if query],
            'version': self._answers[0][3],
            'allocation_requests': [], 'provider_summaries': {},
        }
        for _, requests, summaries, _ in self._answers:
            merged['allocation_requests'] += requests
            merged['provider_summaries'] |= summaries
        return merged
