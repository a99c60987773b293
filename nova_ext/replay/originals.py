"""Read what journals say, as far as a report needs it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.mode import Mode
from nova_ext.journal.contents import find_files, list_notes
from nova_ext.journal.model import HostFacts, JournalDecision, JournalProcess
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import HostKey, Original
from nova_ext.replay.clock_skew import ClockSkew
from nova_ext.replay.selection import Selection, iterate


@dataclass
class Journals:
    """Hold the decisions that are made again.

    :param groups: what identifies each configuration, and its files.
    :param originals: by file name and ID, in the order of time.
    :param notes: what is damaged, lost or of another version, a line each.
    :param aggregates: names and UUIDs of those of the hosts that a file
        begins and ends with.
    """

    groups: Mapping[str, Sequence[Path]]
    originals: Mapping[tuple[str, int], Original]
    notes: Sequence[str] = field(default_factory=list)
    aggregates: Sequence[tuple[str, str]] = ()


def read(paths: Iterable[Path], selection: Selection) -> Journals:
    """Read journals; go on where one can't be read.

    :param paths: files, and folders of them.
    :raises NovaExtError: where none can be read, or no decision is selected.
    """
    groups: dict[str, list[Path]] = {}
    decisions: list[Original] = []
    notes: list[str] = []
    processes: list[JournalProcess] = []
    aggregates: dict[tuple[str, str], None] = {}
    files = find_files(paths)
    # A name ends with the process ID and the time.
    machines = {path.name.rsplit('-', 2)[0] for path in files}
    clocks = ClockSkew()
    for path in files:
        try:
            reader, decision = JournalReader(path), None
            for identity, decision in iterate(reader, selection):
                if len(machines) > 1:
                    clocks.add(reader.process.host, path.name, decision)
                if path not in groups.get(identity, ()):
                    aggregates |= _find_aggregates(decision)
                decisions.append(read_decision(
                    path.name, decision, reader.process.mode
                ))
                group = groups.setdefault(identity, [])
                if path not in group:
                    group.append(path)
        except NovaExtError as error:
            notes.append(str(error))
            continue
        if decision is not None:
            aggregates |= _find_aggregates(decision)
        processes += reader.processes
        notes += list_notes(reader)
    if not decisions:
        raise NovaExtError('; '.join([
            *notes, f'there is no decision to replay{selection.describe()}',
        ]))
    decisions.sort(key=lambda each: each.time)
    return Journals(
        groups,
        {(each.source, each.id): each for each in decisions},
        [*notes, *_compare_versions(processes), *clocks.list_notes()],
        list(aggregates),
    )


def _compare_versions(processes: Iterable[JournalProcess]) -> list[str]:
    """Say where Nova or nova-ext is another one here."""
    notes = []
    for name, package in (('nova', 'nova'), ('nova_ext', 'nova-ext')):
        try:
            here = metadata.version(package)
        except metadata.PackageNotFoundError:
            here = 'none'
        then = sorted({
            process.versions.get(name, 'unknown') for process in processes
        } - {here})
        notes += [
            f'the journal is of {package} {version}, {package} {here} decides '
            f'here' for version in then
        ]
    return notes


def read_decision(
    source: str, decision: JournalDecision, mode: str
) -> Original:
    """Return what a report needs of a decision.

    :param source: name of the journal's file.
    """
    spec = decision.spec.get('nova_object.data', {})
    flavor = (spec.get('flavor') or {}).get('nova_object.data', {})
    chosen = [
        [(host, node) for host, node in offer]
        for offer in decision.destinations
    ]
    first = {offer[0] for offer in chosen if offer}
    return Original(
        source, decision.id, decision.request_id, decision.time,
        decision.operation, spec.get('project_id') or '',
        flavor.get('name') or '', decision.servers, decision.outcome, chosen,
        decision.missing, mode == Mode.SCHEDULER, {
            key: _list_aggregates(host)
            for host in (decision.hosts if first else ())
            if (key := (host.host, host.node)) in first
        },
    )


def _list_aggregates(host: HostFacts) -> list[str]:
    return [each['name'] for each in _iterate_aggregates(host)]


def _iterate_aggregates(host: HostFacts) -> Iterator[Mapping[str, Any]]:
    aggregates: Sequence[Any] = host.values.get('aggregates') or ()
    for each in aggregates:
        if isinstance(each, Mapping) and 'nova_object.data' in each:
            yield each['nova_object.data']


def _find_aggregates(
    decision: JournalDecision
) -> dict[tuple[str, str], None]:
    return {
        (each['name'], each.get('uuid') or ''): None
        for host in decision.hosts for each in _iterate_aggregates(host)
    }


def check_aggregates(journals: Journals, names: Iterable[str]) -> None:
    """Check that aggregates are there.

    :param names: their names or UUIDs.
    :raises NovaExtError: one is not.
    """
    for name in names:
        if not any(name in each for each in journals.aggregates):
            known = ', '.join(sorted(each for each, _ in journals.aggregates))
            raise NovaExtError(
                f'no host of the journals is in an aggregate {name}; '
                f'aggregates of hosts: {known or "none"}'
            )


def list_hosts(change_hosts: Iterable[HostKey]) -> tuple[HostKey, ...]:
    """Return hosts, each once."""
    return tuple(dict.fromkeys(change_hosts))
