"""Represent what was decided for one request, step by step.

The record stores decisions as JSON, and explanations are made of them.
``VERSION`` grows with a change that readers must know.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from nova_ext.core.base import plain_data
from nova_ext.core.base.mode import Mode

VERSION = 1

#: How a decision can end. PASSED: hosts passed, but the stock scheduler did
#: not show which of them was taken, if any.
PLACED = 'placed'
PASSED = 'passed'
NO_VALID_HOST = 'no valid host'
FAILED = 'failed'

#: The operation of schedule_run_instance. Its servers do not exist yet: each
#: has another id, and a decision of its own, when it boots.
CHOICE = 'choice'


#: The topic of Nova's own requests.
COMPUTE = 'compute'

#: Stands for the host of a claim where its name was not seen.
UNKNOWN_HOST = 'unknown'


#: Why a request ignores hosts. Those of a live migration are its source, and
#: then the destinations that were refused after the scheduler had chosen them
#: (nova.conductor.tasks.live_migrate, _find_destination).
IGNORED_FIRST = 'host is to be left'
IGNORED_NEXT = 'chosen before, and refused for the live migration'

#: Names in ``left_out`` for what is cut last.
ALL_BUT_ENDS = (
    'servers between the first and the last, alternates, the request'
)
ALL_BUT_OUTCOME = 'all but the outcome'


class Audience(StrEnum):
    """Say who reads a filter's reasons, beside operators."""

    OPERATORS = 'operators'
    #: The user who made the request.
    USER = 'user'
    #: All members of the request's project.
    MEMBERS = 'members'


@dataclass
class Rejection:
    """Represent hosts that one step rejected for one reason.

    :param reason: a clause; empty if the step gives none.
    :param count: number of hosts; exceeds ``len(hosts)`` where names were
        cut to bound the record.
    :param details: by host, what continues the reason ("down", "since
        12:00"); hosts without such a detail are left out.
    """

    reason: str
    count: int
    hosts: list[str] = field(default_factory=list)
    details: dict[str, str] = field(default_factory=dict)


@dataclass
class Step:
    """Represent a filter, a driver or the request, and the hosts it saw.

    :param name: class name, or the field of the request spec.
    :param kind: ``filter``, ``driver``, ``request``, or ``unknown`` where
        it was not seen what took the hosts out.
    :param reasons_for: who reads a filter's reasons, an :class:`Audience`.
    :param added: hosts that a filter returned without having been given them.
        From there on they are not counted.
    :param repeated: hosts that it returned more than once. They count once.
    """

    name: str
    kind: str
    hosts_in: int
    hosts_out: int
    rejections: list[Rejection] = field(default_factory=list)
    reasons_for: str = Audience.OPERATORS.value
    added: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)


@dataclass
class Weighing:
    """Represent one weigher's raw weights and multipliers by host.

    :param low: the weigher's own minval; None: the least weight.
    :param high: its maxval; None: the greatest weight.
    :param without: hosts that would have weighed most without this weigher,
        the first few; empty if the best host would or might be the same,
        or where that is not known.
    """

    name: str
    weights: dict[str, float]
    multipliers: dict[str, float]
    low: float | None = None
    high: float | None = None
    without: list[str] = field(default_factory=list)


@dataclass
class Draw:
    """Represent a random choice of the first host.

    :param hosts: the first few hosts, in their order before the draw. If a
        driver drew, in their order after it.
    :param count: number of hosts in the draw.
    :param seed: seed of the ``random.Random`` that drew. None if unknown, or
        if a driver left out the host that was drawn.
    :param shuffled: number of hosts that Nova shuffled, from the first on.
    :param subset_size: ``host_subset_size``, from which Nova then took one.
    :param by_driver: a driver drew after Nova, see
        :meth:`nova_ext.core.plugin.answers.Ranking.shuffle`.
    """

    hosts: list[str]
    count: int
    seed: int | None = None
    shuffled: int = 0
    subset_size: int = 0
    by_driver: bool = False


@dataclass
class Attempt:
    """Represent one run of filters, weighers and driver, for one server.

    The decision's next attempt starts from the hosts that this one left.

    :param server: UUID; empty if the request names none.
    :param index: 0 for the first server of the request.
    :param ranked: the remaining hosts, best first, the first few only.
    :param ranked_count: number of remaining hosts.
    :param equal: number of hosts with the greatest weight; 0 if it is not
        known, or a driver changed the order.
    :param draw: None if nothing was drawn, or that is not known.
    :param unasked: enabled filters that no host reached; None if that is
        not known.
    :param absent_stats: stats that plugins read and did not get, with the
        hosts and the reason.
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
class ClaimResult:
    """Represent a claim of a host's resources, and what placement answered.

    In a stock scheduler only claims that took a host are seen, not refused
    ones.

    :param answered: False if placement did not answer, so that it is unknown
        whether there was room.
    :param refusal: placement's message, if it refused for another reason than
        a lack of room.
    """

    server: str
    host: str
    claimed: bool
    answered: bool = True
    refusal: str = ''


@dataclass
class Placement:
    """Represent the query to placement, and how many hosts it offered.

    :param query: query string of GET /allocation_candidates. If Nova sent two
        queries, both, separated by a blank.
    :param candidates: number of hosts with an allocation candidate in either
        answer.
    :param requests: number of allocation candidates. A host can have several;
        the query's ``limit`` limits them. 0 if unknown.
    :param vcpu_requests: number of these that the query for VCPU returned: for
        pinned CPUs, Nova also asks for VCPU instead of PCPU, and uses both
        answers. None if there was no second query.
    :param answered: whether placement returned candidates, or none. If it
        failed or refused, Nova continues as if there were none.
    :param refusal: placement's message, if it refused the query. Else empty.
    :param offered: digest of the root providers that it offered. Empty if it
        is not recorded.
    """

    query: str
    candidates: int
    requests: int = 0
    vcpu_requests: int | None = None
    answered: bool = True
    refusal: str = ''
    offered: str = ''

    @property
    def queries(self) -> list[str]:
        """Return the query, or the two of them."""
        return self.query.split(' ')

    @property
    def offers_none(self) -> bool:
        """Say whether placement answered that it has no candidate."""
        return self.answered and not self.candidates

    @property
    def is_silent(self) -> bool:
        """Say whether placement neither answered nor refused the query."""
        return not self.answered and not self.refusal


@dataclass
class LeftOut:
    """Represent hosts that placement left out, and all that they lacked.

    :param lacks: clauses of one host that begin with ``lacks``, ``is`` or
        ``has``.
    :param count: number of hosts; 0 in a member's view, which tells what all
        of them lacked.
    :param hosts: names, perhaps not all.
    :param generations: the sum of the generations of each host's providers,
        in the order of ``hosts``: it grows with every change.
    """

    lacks: list[str]
    count: int = 0
    hosts: list[str] = field(default_factory=list)
    generations: list[int] = field(default_factory=list)


@dataclass
class PlacementDiagnosis:
    """Represent what placement answered about a query later.

    :param at: when it was asked first, UTC, ISO 8601 with milliseconds.
    :param query: as of :class:`Placement`.
    :param scheduler: the scheduler's ``host``, whose clock ``at`` is of.
    :param offered: digest of the roots that it offered by then.
    :param changed: placement offered other hosts than to the decision, or may
        have, as it was asked late. It lists no host that it left out then.
    :param left_out: every host that it left out, in groups.
    :param examples: of one host, how much of a resource it can give.
    :param untold: what placement was not asked about.
    :param after_s: seconds from the decision's end; set where it is added to
        one.
    """

    at: str
    query: str
    scheduler: str = ''
    offered: str = ''
    changed: bool = False
    left_out: list[LeftOut] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    after_s: float = 0.0


@dataclass
class MirrorCheck:
    """Represent what the mirror had to do with a decision.

    It decided, or Nova did, and that was compared with the mirror's decision.

    :param fallback: id of the reason why the mirror was not used, see
        :class:`.fallback.Fallback`; empty if it was.
    :param detail: what varies of that reason with the request.
    :param age_s: how long before the request the mirror was read, seconds.
    :param compared: how many rankings were compared, one a server and one
        for the alternates.
    :param differences: what differed, one text for each ranking that did.
    :param older: hosts whose rows Nova read later than the mirror.
    :param hosts_missed: hosts that Nova had and the mirror had not.
    :param candidates_missed: providers that placement offered, and the
        mirror's columns did not.
    :param candidates_beyond: the other way round.
    :param left_out: providers that have room, but changed too long ago, and
        were not read since.
    :param decides: whether the mirror was to decide. It did where
        ``fallback`` is empty.
    """

    fallback: str = ''
    detail: str = ''
    age_s: float = 0.0
    compared: int = 0
    differences: list[str] = field(default_factory=list)
    older: int = 0
    hosts_missed: int = 0
    candidates_missed: int = 0
    candidates_beyond: int = 0
    left_out: int = 0
    decides: bool = False


@dataclass
class Decision:
    """Represent the decision on one request.

    :param at: when it began, UTC, ISO 8601 with milliseconds.
    :param seconds: how long it took.
    :param stages: seconds of each stage that was seen: ``prefilters``,
        ``placement``, ``hosts`` (reading their state), ``filters``,
        ``weighers``, ``driver``, ``claims``, ``answer``, ``mirror``.
    :param by: the scheduler's ``host``, ``mode`` (``plugin`` or
        ``scheduler``), ``driver`` and versions, and a digest of its
        ``configuration``. ``source`` ``log``: read from a stock scheduler's
        log.
    :param operation: ``first boot``, ``move``, ``return``, ``rebuild``,
        ``pinned`` or CHOICE.
    :param user_id: who asked for the server first, and wrote its hints: an
        administrator may move it.
    :param request: flavor, image, availability zone, hints (secrets masked)
        and ignored hosts that were requested.
    :param prefilters: traits and aggregates that Nova's prefilters added to
        the request; None if they were not seen.
    :param placement: None if placement was not asked or not seen.
    :param hosts_total: all hosts of the cloud; None if unknown.
    :param absent: hosts that placement did not offer for an unknown reason;
        None if unknown.
    :param kept_out: hosts that placement did not offer for a known reason,
        such as an aggregate; of failures and simulations alone.
    :param chosen: by server, the chosen host and then its alternates.
    :param refused_later: whether the chosen host was refused for the live
        migration. The request's next decision shows it, or Nova's API; no
        line of the record has it.
    :param outcome: PLACED, PASSED, NO_VALID_HOST or FAILED; empty if
        the end was not seen.
    :param message: the message that the caller got.
    :param error_text: what the exception says that a plugin raised; for
        operators alone.
    :param asked_again: what placement answered later; the record keeps it in
        lines of its own.
    :param simulated: nothing was claimed.
    :param topic: topic of the driver that decided. Of any but ``compute``
        there is one attempt, for no server, and ``chosen`` has its hosts
        under ''.
    :param wanted: number of hosts to choose; for compute, one a server.
    :param unread_hints: hints that neither the driver nor any enabled filter
        or weigher reads; None if one of them declares none.
    :param unread_metadata: sentences on unread keys: flavor, image, aggregates
    :param left_out: names of what was left out, as the line was too long.
    :param mirror: how it was compared with the mirror's; None: it was not.
    :param unseen_filters: enabled filters that could not be followed, in a
        stock scheduler. A step may bear such a name, or several joined by
        "or": by elimination.
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
    claims: list[ClaimResult] = field(default_factory=list)
    chosen: dict[str, list[str]] = field(default_factory=dict)
    outcome: str = ''
    message: str = ''
    error_text: str = ''
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    asked_again: PlacementDiagnosis | None = None
    refused_later: bool = False
    simulated: bool = False
    topic: str = COMPUTE
    wanted: int = 1
    unread_hints: list[str] | None = None
    unread_metadata: dict[str, list[str]] = field(default_factory=dict)
    kept_out: list[Rejection] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unseen_filters: list[str] = field(default_factory=list)
    mirror: MirrorCheck | None = None
    version: int = VERSION

    @property
    def is_from_log(self) -> bool:
        """Say whether the decision was read from a scheduler's log."""
        return self.by.get('source') == 'log'

    @property
    def claims_unseen(self) -> bool:
        """Say whether it failed after the filters, where no claim is seen."""
        return (
            self.by.get('mode') == Mode.PLUGIN and not self.is_from_log
            and self.outcome == NO_VALID_HOST
        )

    def concerns(self, wanted: str) -> bool:
        """Say whether this is the decision on a server or a request.

        :param wanted: a server's UUID or a request id; or the UUID of the
            server group that the request names.
        """
        group = (self.request.get('hints') or {}).get('group')
        return wanted == self.request_id or wanted in self.servers or (
            group in (wanted, [wanted])
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as JSON-ready data."""
        return asdict(self)

    def to_sparse_dict(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults.

        The version and the time come first, for readers that look at the
        beginning of a line alone.
        """
        return {'version': self.version, **plain_data.dump_sparse(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Decision':
        """Read a decision back; ignore the fields of later versions.

        :raises TypeError: for data that is no decision.
        """
        return plain_data.load(cls, data)


def name_host(host: str, nodename: str) -> str:
    """Return ``host``, or ``host/node`` where the names differ.

    A node name that only adds a domain to the host's does not differ.
    """
    if nodename.partition('.')[0] == host.partition('.')[0]:
        return host
    return f'{host}/{nodename}'


def group_rejections(
    hosts: Iterable[tuple[str, str]],
    details: Mapping[str, str] | None = None,
) -> list[Rejection]:
    """Group rejected hosts by reason, the most frequent first.

    :param hosts: (host, reason) pairs.
    :param details: what continues the reason, by host.
    """
    details = details or {}
    by_reason: dict[str, list[str]] = {}
    for host, reason in hosts:
        by_reason.setdefault(reason, []).append(host)
    return sorted(
        (
            Rejection(
                reason, len(names), names,
                {name: details[name] for name in names if details.get(name)},
            )
            for reason, names in by_reason.items()
        ),
        key=lambda rejection: -rejection.count,
    )
