"""Represent decisions that were made again, and what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from nova_ext.core.decision.decision import PLACED

#: A host and its node.
HostKey = tuple[str, str]


class Exactness(StrEnum):
    """Say how much of a decision could be made again."""

    EXACT = 'exact'
    PARTIAL = 'partial'
    NOT_REPLAYABLE = 'not replayable'


@dataclass(frozen=True)
class HostVerdict:
    """Represent what took a host out.

    :param stage: name of the filter, the driver, or the field of the request.
    :param kind: as of :class:`nova_ext.core.decision.decision.Step`.
    :param reason: a clause; empty: none is given.
    """

    stage: str
    kind: str
    reason: str


@dataclass
class Evidence:
    """Represent what was said of some hosts in one attempt.

    :param index: number of the server, from 0.
    :param rejected: by host, those that were rejected.
    :param weights: by host, what each weigher added.
    :param ended: the step that left no host; None: some were left.
    :param counts: how many hosts each step rejected, by name and kind.
    """

    index: int
    rejected: Mapping[HostKey, HostVerdict]
    weights: Mapping[HostKey, Mapping[str, float]]
    ended: HostVerdict | None = None
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)


@dataclass(frozen=True)
class CloudState:
    """Represent what a rolling replay left of the cloud.

    :param hosts: how many.
    :param empty: hosts without a server.
    :param servers: that were placed and have not ended.
    :param free: what can still be given, by resource class.
    :param stranded: of it, what no flavor of the journal can use, since its
        host lacks another resource class, or has less of this one than any
        flavor asks for.
    :param largest: name of the flavor of most memory that a host still takes;
        empty: none.
    """

    hosts: int
    empty: int
    servers: int
    free: Mapping[str, int]
    stranded: Mapping[str, int]
    largest: str = ''


@dataclass
class Replayed:
    """Represent a decision that was made again under one configuration.

    :param source: name of the journal's file; with ``id`` it names the
        decision.
    :param outcome: placed, no valid host or failed.
    :param chosen: of each server the chosen host and its alternates.
    :param error: empty: there was none.
    :param equal: by the server's number, the hosts that could as well have
        been drawn, where the seed is unknown.
    :param gaps: facts that were asked for, and are not in the journal.
    :param evidence: what was said of hosts, by attempt; empty: not wanted.
    :param fallback: why Nova's code decided in place of the engine; empty: it
        did not, or no rolling replay asked the engine.
    :param best: how many hosts weighed most, if several did.
    :param cloud: the cloud after it; of a rolling replay's last one alone.
    """

    source: str
    id: int
    outcome: str
    chosen: Sequence[Sequence[HostKey]]
    error: str = ''
    equal: Mapping[int, Sequence[HostKey]] = field(default_factory=dict)
    gaps: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()
    fallback: str = ''
    best: int = 0
    cloud: CloudState | None = None

    @property
    def first_hosts(self) -> tuple[HostKey, ...]:
        """Return the chosen host of each server."""
        return tuple(each[0] for each in self.chosen if each)


@dataclass(frozen=True)
class Original:
    """Represent what the journal says of a decision, for the report.

    :param source: name of the journal's file.
    :param missing: facts that the journal lacks.
    :param shows_refusals: whether claims that placement refused are in the
        journal; a stock nova-scheduler does not show them.
    :param aggregates: names of the aggregates of each host, by host.
    """

    source: str
    id: int
    request_id: str
    time: float
    operation: str
    project: str
    flavor: str
    servers: Sequence[str]
    outcome: str
    chosen: Sequence[Sequence[HostKey]]
    missing: Sequence[str] = ()
    shows_refusals: bool = True
    aggregates: Mapping[HostKey, Sequence[str]] = field(default_factory=dict)

    @property
    def first_hosts(self) -> tuple[HostKey, ...]:
        """Return the chosen host of each server."""
        return tuple(each[0] for each in self.chosen if each)

    @property
    def is_placed(self) -> bool:
        """Say whether all servers were placed."""
        return self.outcome == PLACED
