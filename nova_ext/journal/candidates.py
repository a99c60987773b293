"""Write placement's candidates: what differs from those before.

A provider is a row, as a host is. An allocation request is a pattern, in
which providers are numbers, and the providers' rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgpack

from nova_ext.journal.runs import from_counts, from_runs, to_counts, to_runs

#: No summary was written yet; nothing equals it.
_NONE = object()
#: Allocation requests of an answer that are read, at most, and their
#: providers: a file that was made up must not take all memory.
_MOST = 10_000_000


class CandidateWriter:
    """Write candidates."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._summaries: list[Any] = []

    def encode(self, candidates: Mapping[str, Any]) -> dict[str, Any]:
        """Return candidates with what changed since the last ones.

        :param candidates: see :class:`JournalDecision`.
        """
        summaries = candidates['provider_summaries']
        requests = candidates['allocation_requests']
        known = len(self._rows)
        rows = [self._get_row(uuid) for uuid in summaries]
        changed: list[int] = []
        for row, summary in zip(rows, summaries.values(), strict=True):
            if summary != self._summaries[row]:
                self._summaries[row] = summary
                changed.append(row)
        numbers: dict[bytes, int] = {}
        patterns: list[int] = []
        providers: list[int] = []
        last: tuple[Any, ...] = ()
        for request in requests:
            uuids, parts = _split(request)
            if parts == last:  # most are
                patterns.append(patterns[-1])
            else:
                last = parts
                patterns.append(
                    numbers.setdefault(msgpack.packb(parts), len(numbers))
                )
            providers += map(self._get_row, uuids)
        return {
            'queries': candidates['queries'],
            'version': candidates['version'],
            'new': list(self._rows)[known:],
            'changed': to_runs(changed),
            'summaries': [
                msgpack.packb(self._summaries[row]) for row in changed
            ],
            'order': to_runs(rows),
            'patterns': list(numbers),
            'requests': to_counts(patterns),
            'providers': to_runs(providers),
        }

    def _get_row(self, uuid: str) -> int:
        row = self._rows.setdefault(uuid, len(self._rows))
        if row == len(self._summaries):
            self._summaries.append(_NONE)
        return row


def _split(request: Mapping[str, Any]) -> tuple[list[str], tuple[Any, ...]]:
    """Return a request's providers, and all else: what its pattern packs."""
    allocations, mappings = request['allocations'], request.get('mappings')
    uuids = {uuid: n for n, uuid in enumerate(allocations)}
    mapped = mappings and {
        group: [uuids.setdefault(uuid, len(uuids)) for uuid in providers]
        for group, providers in mappings.items()
    }
    rest = {
        name: value for name, value in request.items()
        if name not in ('allocations', 'mappings')
    }
    return list(uuids), (
        list(allocations.values()), mapped, rest, len(uuids),
    )


class CandidateTable:
    """Read candidates, as CandidateWriter wrote them."""

    def __init__(self) -> None:
        self._uuids: list[str] = []
        self._summaries: list[bytes] = []

    def decode(self, body: Mapping[str, Any]) -> 'JournaledCandidates':
        """Take what changed, and return the candidates of a decision.

        :raises Exception: of any kind, for what is no such body.
        """
        self._uuids += body['new']
        count = len(self._uuids)
        self._summaries += [b''] * (count - len(self._summaries))
        for row, summary in zip(
            from_runs(body['changed'], count), body['summaries'], strict=True
        ):
            self._summaries[row] = summary
        return JournaledCandidates(body, [
            (self._uuids[row], self._summaries[row])
            for row in from_runs(body['order'], count)
        ], [
            self._uuids[row]
            for row in from_runs(body['providers'], _MOST)
        ])


class JournaledCandidates(Mapping[str, Any]):
    """Hold the candidates of a decision; make them when they are read.

    See :class:`JournalDecision`. Most readers of a decision read none.
    """

    def __init__(
        self, body: Mapping[str, Any], summaries: Sequence[tuple[str, bytes]],
        providers: Sequence[str],
    ) -> None:
        self._body = body
        self._summaries = summaries
        self._providers = providers
        self._values: dict[str, Any] = {
            'queries': body['queries'], 'version': body['version'],
        }

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            if name == 'provider_summaries':
                self._values[name] = {
                    uuid: msgpack.unpackb(summary)
                    for uuid, summary in self._summaries
                }
            elif name == 'allocation_requests':
                self._values[name] = list(self._make_requests())
            else:
                raise KeyError(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        yield from (
            'queries', 'version', 'allocation_requests', 'provider_summaries',
        )

    def __len__(self) -> int:
        return 4

    def _make_requests(self) -> Iterator[dict[str, Any]]:
        position = 0
        for number in from_counts(self._body['requests'], _MOST):
            # Unpacked each time: a reader may change one of them.
            allocations, mappings, rest, count = msgpack.unpackb(
                self._body['patterns'][number]
            )
            uuids = self._providers[position:position + count]
            position += count
            request = {
                'allocations': dict(zip(uuids, allocations, strict=False)),
            }
            if mappings is not None:
                request['mappings'] = {
                    group: [uuids[index] for index in indexes]
                    for group, indexes in mappings.items()
                }
            yield request | rest
