"""What was decided for one request, step by step, as plain data.

A decision is what the record stores and what an explanation is made of.
It is JSON all through; ``VERSION`` grows when a reader must know.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from nova_ext.core.base import plain_data
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.placement_diagnosis import AskedAgain

VERSION = 1

#: How a decision can end. A stock scheduler's filters alone can't tell
#: which of the hosts that passed was claimed: PASSED.
PLACED = 'placed'
PASSED = 'passed'
NO_VALID_HOST = 'no valid host'
FAILED = 'failed'

#: The operation of what schedule_run_instance chooses. The servers are not
#: there yet: each has an id and a decision of its own at its boot.
CHOICE = 'choice'

#: What older lines of the record have in place of a mode.
_MODES = {1: {'mode': Mode.PLUGIN}, 2: {'mode': Mode.SCHEDULER}}

#: The topic that Nova's own requests have.
COMPUTE = 'compute'

#: Stands for a host of a claim whose name was not seen.
UNKNOWN_HOST = 'unknown'


@dataclass
class Rejection:
    """Hosts that one step let go for one reason.

    :param reason: a clause; empty where the step gives none.
    :param count: how many hosts; may exceed ``len(hosts)`` when the names
        were cut to keep the record bounded.
    :param details: by host, what was found there; continues the reason
        ("down", "since 12:00"). Only hosts of which there is something.
    """

    reason: str
    count: int
    hosts: list[str] = field(default_factory=list)
    details: dict[str, str] = field(default_factory=dict)


@dataclass
class Step:
    """A filter, a driver or the request itself, and the hosts it saw.

    :param name: class name, or the field of the request spec.
    :param kind: ``filter``, ``driver`` or ``request``.
    """

    name: str
    kind: str
    hosts_in: int
    hosts_out: int
    rejections: list[Rejection] = field(default_factory=list)


@dataclass
class Weighing:
    """One weigher's raw weights and multipliers by host.

    :param low: the weigher's own lower bound for normalising; None: the
        least weight of the list.
    :param high: the upper bound; None: the greatest weight.
    :param without: the hosts that would have come first without this
        weigher, the first few; empty where the same one would have, or
        might have, or where that is not known.
    """

    name: str
    weights: dict[str, float]
    multipliers: dict[str, float]
    low: float | None = None
    high: float | None = None
    without: list[str] = field(default_factory=list)


@dataclass
class Draw:
    """Hosts of which chance made one the first.

    :param hosts: as they stood before, the first few only; as they stood
        afterwards where a driver drew.
    :param count: how many there were.
    :param seed: of the ``random.Random`` that drew; None where it is not
        known, or a driver dropped the host that was drawn.
    :param shuffled: how many of them, from the first, Nova shuffled.
    :param subset_size: of how many it took one then, at most.
    :param by_driver: a driver drew after Nova, see
        :meth:`nova_ext.core.plugin.ranking.Ranking.by_chance`.
    """

    hosts: list[str]
    count: int
    seed: int | None = None
    shuffled: int = 0
    subset_size: int = 0
    by_driver: bool = False


@dataclass
class Attempt:
    """One run of filters, weighers and driver, for one server.

    The next attempt of the same decision starts from the hosts that this
    one left.

    :param server: UUID; empty if the request names none.
    :param index: 0 for the first server of the request.
    :param ranked: the hosts at the end, best first, the first few only.
    :param ranked_count: how many there were.
    :param equal: how many hosts had the greatest weight; 0: not known, or a
        driver put them in another order.
    :param draw: None where chance had no say, or that is not known.
    :param unasked: enabled filters that no host reached; None where that is
        not known.
    :param absent_stats: stats that extensions asked for and did not get,
        with the hosts and why.
    """

    server: str
    index: int
    hosts_in: int
    steps: list[Step] = field(default_factory=list)
    weighers: list[Weighing] = field(default_factory=list)
    ranked: list[str] = field(default_factory=list)
    ranked_count: int = 0
    equal: int = 0
    draw: Draw | None = None
    unasked: list[str] | None = None
    absent_stats: list[Rejection] = field(default_factory=list)


@dataclass
class Claim:
    """A try to take a host's resources in placement."""

    server: str
    host: str
    claimed: bool


@dataclass
class Placement:
    """What placement was asked and how many hosts it offered.

    :param query: the query string of GET /allocation_candidates; the first
        one where there were two.
    :param candidates: hosts with at least one allocation candidate, in
        either answer.
    :param requests: allocation candidates, of which a host may have several;
        they are what the query's ``limit`` bounds. 0: not known.
    :param fallback: how many of these a second query gave: where processors
        are to be pinned, Nova asks for VCPU in place of PCPU, too, and uses
        both answers. None where there was no second query.
    :param answered: whether placement answered what it was asked. Nova goes
        on without an answer as if there were no candidate.
    """

    query: str
    candidates: int
    requests: int = 0
    fallback: int | None = None
    answered: bool = True

    @property
    def offers_none(self) -> bool:
        """Whether placement answered that it has no candidate."""
        return self.answered and not self.candidates


@dataclass
class Decision:
    """One request's decision.

    :param at: when it began, UTC, ISO 8601 with milliseconds.
    :param seconds: how long it took.
    :param stages: seconds of each stage: ``prefilters``, ``placement``,
        ``hosts`` (reading their state), ``filters``, ``weighers``,
        ``driver``, ``claims``, ``answer``; those that were seen.
    :param by: host, ``mode`` (``plugin`` or ``scheduler``), ``driver`` and
        versions of what decided, and a digest of the ``configuration`` that
        mattered. ``source`` ``log``: read from a stock scheduler's log.
    :param operation: ``first boot``, ``move``, ``return``, ``rebuild``,
        ``pinned`` or CHOICE.
    :param request: what was asked: flavor, image, availability zone,
        hints (secrets masked), ignored hosts.
    :param prefilters: traits and aggregates that Nova's prefilters asked
        for; None where they were not seen.
    :param placement: None where placement was not asked or not seen.
    :param hosts_total: all hosts of the cloud; None where unknown.
    :param absent: hosts that placement did not offer, it is not known why;
        None if unknown.
    :param kept_out: such hosts of which it is known: by the zone or other
        aggregates that the request's prefilters ask for or forbid. Told of
        failures and simulations alone.
    :param chosen: by server, the chosen host and then its alternates.
    :param outcome: PLACED, PASSED, NO_VALID_HOST or FAILED; empty where
        the end was not seen.
    :param message: what the caller was told.
    :param asked_again: what placement answered later about such a request;
        the record keeps it in lines of its own.
    :param simulated: nothing was claimed, it was only asked what would be.
    :param topic: of the driver that decided. Of any but ``compute`` there is
        one attempt, for no server, and ``chosen`` has its hosts under ''.
    :param wanted: how many of these were to be chosen; of compute, one for
        each server.
    :param unread_hints: hints of the request that nothing which decides
        reads; None where that is not known, be it of one reader.
    :param left_out: what of the decision was left out, as it was too long.
    """

    at: str
    request_id: str
    servers: list[str] = field(default_factory=list)
    project_id: str = ''
    user_id: str = ''
    operation: str = ''
    by: dict[str, Any] = field(default_factory=dict)
    request: dict[str, Any] = field(default_factory=dict)
    prefilters: dict[str, list[str]] | None = None
    placement: Placement | None = None
    hosts_total: int | None = None
    absent: Rejection | None = None
    attempts: list[Attempt] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    chosen: dict[str, list[str]] = field(default_factory=dict)
    outcome: str = ''
    message: str = ''
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    asked_again: AskedAgain | None = None
    simulated: bool = False
    topic: str = COMPUTE
    wanted: int = 1
    unread_hints: list[str] | None = None
    kept_out: list[Rejection] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    version: int = VERSION

    def concerns(self, wanted: str) -> bool:
        """Whether this is about a server or a request.

        :param wanted: a server's UUID or a request id.
        """
        return wanted == self.request_id or wanted in self.servers

    def to_dict(self) -> dict[str, Any]:
        """The decision as JSON-ready data, every field of it."""
        return asdict(self)

    def to_sparse_dict(self) -> dict[str, Any]:
        """The decision as JSON-ready data, without what is at its default.

        The version and the time come first, for readers that look at the
        beginning of a line alone.
        """
        return {'version': self.version, **plain_data.sparse(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Decision':
        """Read a decision back; ignore the fields of later versions.

        :raises TypeError: for data that is no decision.
        """
        return plain_data.read(cls, _with_current_names(data))


def _with_current_names(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a decision's data with the names that fields have now."""
    if not isinstance(data, Mapping):
        return data
    by = data.get('by')
    if isinstance(by, dict) and 'rung' in by:
        rung = by['rung']
        by = {name: by[name] for name in by if name != 'rung'}
        mode = _MODES.get(rung, {}) if isinstance(rung, int) else {}
        data = {**data, 'by': by | mode}
    if 'occasion' in data:
        data = {'operation': data['occasion'], **data}
    return data


def label(host: str, nodename: str) -> str:
    """A host state's name: the host's, with the node's where they differ.

    A node name that only adds a domain to the host's says nothing more.
    """
    if nodename.partition('.')[0] == host.partition('.')[0]:
        return host
    return f'{host}/{nodename}'


def rejections(
    hosts: Iterable[tuple[str, str]],
    details: Mapping[str, str] | None = None,
) -> list[Rejection]:
    """Group rejected hosts by reason, the most frequent first.

    :param hosts: (host, reason) pairs.
    :param details: what was found on some of the hosts.
    """
    found = details or {}
    by_reason: dict[str, list[str]] = {}
    for host, reason in hosts:
        by_reason.setdefault(reason, []).append(host)
    return sorted(
        (
            Rejection(
                reason, len(names), names,
                {name: found[name] for name in names if found.get(name)},
            )
            for reason, names in by_reason.items()
        ),
        key=lambda rejection: -rejection.count,
    )
