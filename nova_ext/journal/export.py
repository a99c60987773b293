"""Write a journal anew, with other names of hosts, servers and projects."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.journal import columns, frames
from nova_ext.journal.candidates import CandidateWriter
from nova_ext.journal.columns import HostWriter, Key, MirroredHosts, Packed
from nova_ext.journal.contents import open_files
from nova_ext.journal.frames import FrameWriter
from nova_ext.journal.model import (
    IMPORTED,
    UNKNOWN,
    HostFacts,
    JournalDecision,
    JournalProcess,
)
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.scrubbing import Scrubber
from nova_ext.journal.writer import EPOCH_DECISIONS

#: A filter compares the address of a host with what this hint says.
_ADDRESS_HINT = 'build_near_host_ip'
_ADDRESS_GAP = 'addresses of hosts, which are scrubbed'
#: Fields of a decision that have names, but for hosts and candidates.
_NAMED = (
    'context', 'spec', 'servers', 'attempts', 'claims', 'destinations',
    'error', 'missing', 'providers', 'held', 'excluded',
)
_PLAIN = (
    'id', 'request_id', 'time', 'operation', 'options', 'outcome', 'fallback',
    'mirrored', 'room',
)


def export(
    paths: Sequence[Path], folder: Path, progress: Progress
) -> tuple[list[Path], int, list[str]]:
    """Write scrubbed journals.

    :param paths: files, and folders of them. What is equal in them stays
        equal.
    :param folder: must have no such files yet.
    :returns: the new files, the number of decisions, and a line about what
        could not be read.
    :raises NovaExtError: nothing can be read, a journal was imported, or a
        file can't be written.
    """
    readers, notes = open_files(paths)
    files = [reader.path for reader in readers]
    scrubber = Scrubber()
    with progress.step('collect names'):
        for number, path in enumerate(files):
            progress.detail(f'file {number + 1} of {len(files)}')
            _collect(scrubber, JournalReader(path))
    scrubber.begin()
    written, total = [], 0
    with progress.step('write'):
        for number, path in enumerate(files):
            progress.detail(f'file {number + 1} of {len(files)}')
            reader = JournalReader(path)
            new = folder / scrubber.scrub_text(path.name)
            total += _write(new, reader, scrubber)
            written.append(new)
            notes += [f'{path}: {each.text}' for each in reader.damage]
    return written, total, notes


def _collect(scrubber: Scrubber, reader: JournalReader) -> None:
    process: JournalProcess | None = None
    known: set[int] = set()
    kept: list[HostFacts] = []  # so that no other one gets its number
    for decision in reader:
        if reader.process is not process:
            process = reader.process
            if process.mode == IMPORTED:
                raise NovaExtError(
                    f'{reader.path}: was imported: give other names in its '
                    f'tables, and import these'
                )
            scrubber.add('host', process.host)
            scrubber.collect(process.configuration)
        scrubber.collect(decision.context)
        scrubber.collect_request(decision.spec)
        for facts in (*decision.hosts, *decision.known):
            if id(facts) in known:
                continue
            known.add(id(facts))
            kept.append(facts)
            scrubber.add('host', facts.host)
            scrubber.add('host', facts.node)
            scrubber.collect(facts.values)
        for server, host in _list_claims(decision):
            scrubber.add('server', server)
            scrubber.add('host', host)


def _list_claims(decision: JournalDecision) -> Iterator[tuple[str, str]]:
    for server in decision.servers:
        yield server, ''
    for claim in decision.claims:
        yield claim.server, claim.host


def _write(path: Path, reader: JournalReader, scrubber: Scrubber) -> int:
    """Write one file; return the number of decisions."""
    count = 0
    try:
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        with os.fdopen(opened, 'wb') as file:
            file.write(frames.HEADER)
            for frame in _make_frames(reader, scrubber):
                count += frame[4:5] == frames.DECISION
                file.write(frame)
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error
    return count


def _make_frames(
    reader: JournalReader, scrubber: Scrubber
) -> Iterator[bytes]:
    process: JournalProcess | None = None
    writer, packer, count = FrameWriter(), _Packer(scrubber), 0
    for decision in reader:
        if reader.process is not process or count >= EPOCH_DECISIONS:
            process, count = reader.process, 0
            packer = _Packer(scrubber)
            yield writer.make(
                frames.EPOCH, _scrub_process(process, scrubber)
            )
        count += 1
        yield writer.make(frames.DECISION, packer.pack(decision))
    losses = reader.losses
    for loss in losses:
        yield writer.make(frames.LOSS, asdict(loss))


def _scrub_process(
    process: JournalProcess, scrubber: Scrubber
) -> dict[str, Any]:
    return {
        **asdict(process), 'host': scrubber.scrub_text(process.host),
        'masked': list(process.masked),
        'configuration': {
            group: scrubber.scrub_options(values)
            for group, values in process.configuration.items()
        },
    }


class _Packer:
    """Pack the decisions of an epoch, as the writer of a journal has them."""

    def __init__(self, scrubber: Scrubber) -> None:
        self._scrubber = scrubber
        self._hosts, self._candidates = HostWriter(), CandidateWriter()
        self._known: dict[int, tuple[HostFacts, Key, Packed, Any]] = {}

    def pack(self, decision: JournalDecision) -> dict[str, Any]:
        """Return the body of a frame."""
        scrub = self._scrubber.scrub
        fields = vars(decision)
        body = {name: fields[name] for name in _PLAIN} | {
            name: scrub(_to_lists(fields[name])) for name in _NAMED
        }
        if 'roles' in decision.context:
            # A role is no name, though a user may be called so.
            body['context']['roles'] = list(decision.context['roles'] or ())
        hints = decision.spec.get('nova_object.data', {}).get(
            'scheduler_hints'
        ) or {}
        if _ADDRESS_HINT in hints:
            body['missing'] = [*body['missing'], _ADDRESS_GAP]
        candidates = decision.candidates and {
            name: scrub(each) for name, each in decision.candidates.items()
        }
        return {
            **body, 'hosts': self._hosts.encode(
                *self._pack_hosts(decision.hosts), MirroredHosts(
                    *self._pack_hosts(decision.known), ranked=None
                ) if decision.known else None,
            ), 'candidates': (
                candidates and self._candidates.encode(candidates)
            ),
        }

    def _pack_hosts(
        self, hosts: Sequence[HostFacts]
    ) -> tuple[list[Key], list[Packed], dict[int, Any]]:
        packed = [self._pack_host(facts) for facts in hosts]
        aggregates: dict[int, Any] = {}
        for _, _, _, each in packed:
            aggregates |= each
        return (
            [key for _, key, _, _ in packed],
            [host for _, _, host, _ in packed], aggregates,
        )

    def _pack_host(
        self, facts: HostFacts
    ) -> tuple[HostFacts, Key, Packed, Mapping[int, Any]]:
        known = self._known.get(id(facts))
        if known is not None:
            return known
        scrub = self._scrubber.scrub_text
        values = self._scrubber.scrub_values(facts.values)
        service = values.get(columns.SERVICE)
        if service is not None and service != UNKNOWN:
            values[columns.SERVICE_UP] = service.pop('up', None)
        aggregates = values.get(columns.AGGREGATES)
        by_id: dict[int, Any] = {}
        if aggregates is not None and aggregates != UNKNOWN:
            by_id = {
                each['nova_object.data']['id']: columns.pack(each)
                for each in aggregates
            }
            values[columns.AGGREGATES] = list(by_id)
        self._known[id(facts)] = packed = (
            facts,
            (scrub(facts.host), scrub(facts.node), scrub(facts.uuid),
             scrub(facts.cell)),
            {
                name: columns.NOT_KEPT if value == UNKNOWN
                else columns.pack(value) for name, value in values.items()
            }, by_id,
        )
        return packed


def _to_lists(value: Any) -> Any:
    """Return attempts, claims and providers as a file has them."""
    if isinstance(value, list | tuple):
        return [_to_lists(each) for each in value]
    fields = getattr(type(value), '__dataclass_fields__', None)
    return value if fields is None else [
        _to_lists(getattr(value, name)) for name in fields
    ]
