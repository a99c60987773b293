"""What was decided for one request, step by step, as plain data.

A decision is what the record stores and what an explanation is made of.
It is JSON all through; ``VERSION`` grows when a reader must know.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

VERSION = 1

#: How a decision can end. A stock scheduler's filters alone can't tell
#: which of the hosts that passed was claimed: PASSED.
PLACED = 'placed'
PASSED = 'passed'
NO_VALID_HOST = 'no valid host'
FAILED = 'failed'


@dataclass
class Rejection:
    """Hosts that one step let go for one reason.

    :param reason: a clause; empty where the step gives none.
    :param count: how many hosts; may exceed ``len(hosts)`` when the names
        were cut to keep the record bounded.
    """

    reason: str
    count: int
    hosts: list[str] = field(default_factory=list)


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
    """

    name: str
    weights: dict[str, float]
    multipliers: dict[str, float]
    low: float | None = None
    high: float | None = None


@dataclass
class Attempt:
    """One run of filters, weighers and driver, for one server.

    The next attempt of the same decision starts from the hosts that this
    one left.

    :param server: UUID; empty if the request names none.
    :param index: 0 for the first server of the request.
    :param ranked: the hosts at the end, best first, the first few only.
    :param ranked_count: how many there were.
    """

    server: str
    index: int
    hosts_in: int
    steps: list[Step] = field(default_factory=list)
    weighers: list[Weighing] = field(default_factory=list)
    ranked: list[str] = field(default_factory=list)
    ranked_count: int = 0


@dataclass
class Claim:
    """A try to take a host's resources in placement."""

    server: str
    host: str
    claimed: bool


@dataclass
class Placement:
    """What placement was asked and how many hosts it offered.

    :param query: the query string of GET /allocation_candidates.
    :param candidates: hosts with at least one allocation candidate.
    """

    query: str
    candidates: int


@dataclass
class Decision:
    """One request's decision.

    :param at: when it began, UTC, ISO 8601 with milliseconds.
    :param seconds: how long it took.
    :param by: host, ``rung`` (1: filters in the stock scheduler, 2: our
        scheduler), ``driver`` and versions of what decided.
    :param occasion: ``first boot``, ``move``, ``return``, ``rebuild`` or
        ``pinned``.
    :param request: what was asked: flavor, image, availability zone,
        hints (secrets masked), ignored hosts.
    :param prefilters: traits and aggregates that Nova's prefilters asked
        for; None where they were not seen.
    :param placement: None where placement was not asked or not seen.
    :param hosts_total: all hosts of the cloud; None where unknown.
    :param absent: hosts that placement did not offer; None if unknown.
    :param chosen: by server, the chosen host and then its alternates.
    :param outcome: PLACED, PASSED, NO_VALID_HOST or FAILED; empty where
        the end was not seen.
    :param message: what the caller was told.
    """

    at: str
    request_id: str
    servers: list[str] = field(default_factory=list)
    project_id: str = ''
    user_id: str = ''
    occasion: str = ''
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
    version: int = VERSION

    def to_dict(self) -> dict[str, Any]:
        """The decision as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Decision':
        """Read a decision back; fields of later versions are ignored.

        :raises KeyError, TypeError: for data that is no decision.
        """
        known = _known(cls, data)
        if known.get('placement'):
            known['placement'] = Placement(**known['placement'])
        if known.get('absent'):
            known['absent'] = Rejection(**known['absent'])
        known['attempts'] = [_attempt(a) for a in data.get('attempts', ())]
        known['claims'] = [
            Claim(**_known(Claim, c)) for c in data.get('claims', ())
        ]
        return cls(**known)


def rejections(hosts: Iterable[tuple[str, str]]) -> list[Rejection]:
    """Group rejected hosts by reason, the most frequent first.

    :param hosts: (host, reason) pairs.
    """
    by_reason: dict[str, list[str]] = {}
    for host, reason in hosts:
        by_reason.setdefault(reason, []).append(host)
    return sorted(
        (Rejection(r, len(names), names) for r, names in by_reason.items()),
        key=lambda rejection: -rejection.count,
    )


def _known(cls: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in data.items() if k in cls.__dataclass_fields__}


def _attempt(data: Mapping[str, Any]) -> Attempt:
    known = _known(Attempt, data)
    known['weighers'] = [
        Weighing(**_known(Weighing, w)) for w in data.get('weighers', ())
    ]
    known['steps'] = [_step(s) for s in data.get('steps', ())]
    return Attempt(**known)


def _step(data: Mapping[str, Any]) -> Step:
    known = _known(Step, data)
    known['rejections'] = [
        Rejection(**_known(Rejection, r)) for r in data.get('rejections', ())
    ]
    return Step(**known)
