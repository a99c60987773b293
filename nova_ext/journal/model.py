"""Represent what a journal holds, as plain values.

A plain value is None, a boolean, a number, a text, a list of plain values or
a mapping of texts to them. Times are seconds since 1970, UTC.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: What a value becomes that could not be kept. A decision whose hosts have
#: one names it in ``missing``.
UNKNOWN = {'unknown': True}
#: Times that can be shown are before this.
TIMES_END = datetime.datetime(9999, 1, 1, tzinfo=datetime.UTC).timestamp()
#: Mode of a journal that was made from tables: nobody decided.
IMPORTED = 'imported'


@dataclass(frozen=True)
class JournalPlugin:
    """Represent one enabled filter or weigher.

    :param kind: ``filter`` or ``weigher``.
    :param name: name of the class.
    :param module: where it is defined.
    :param package: distribution that has the module, and its version;
        empty: unknown.
    :param digest: SHA-256 of the module's file, in hexadecimal; empty: the
        file can't be read.
    """

    kind: str
    name: str
    module: str
    package: str
    digest: str


@dataclass(frozen=True)
class JournalProcess:
    """Represent the process that wrote a file: a worker of a scheduler.

    :param version: version of the file's format.
    :param host: [DEFAULT] host of the scheduler.
    :param pid: its process ID.
    :param mode: ``scheduler``, ``plugin`` or ``imported``.
    :param began: when the file was begun.
    :param versions: ``nova`` and ``nova_ext``, and ``python``.
    :param configuration: all options by group, ``DEFAULT`` too, by name;
        secrets are masked.
    :param masked: which options are masked, as ``group.name``.
    :param plugins: enabled filters and weighers, in Nova's order.
    :param driver: class name of the driver; empty in plugin mode.
    """

    version: int
    host: str
    pid: int
    mode: str
    began: float
    versions: Mapping[str, str]
    configuration: Mapping[str, Mapping[str, Any]]
    masked: Sequence[str]
    plugins: Sequence[JournalPlugin]
    driver: str = ''

    @property
    def worker(self) -> str:
        """Return the name of the worker: its host and process ID."""
        return f'{self.host}-{self.pid}'


@dataclass(frozen=True)
class HostFacts:
    """Represent one host state, before a decision changed anything in it.

    :param host: name of the compute service's host.
    :param node: name of the node, ``HostState.nodename``.
    :param uuid: of the node; empty: it has none yet.
    :param cell: UUID of its cell.
    :param values: attributes of Nova's HostState by name, all but those
        above, ``updated``, ``limits`` and ``allocation_candidates``. Numbers
        and texts are Nova's own. Others:

        - ``numa_topology``: NUMATopology as a versioned object's primitive;
          None: it has none.
        - ``pci_pools``: ``PciDeviceStats.pools``, without the devices;
          None: there are no statistics.
        - ``metrics``: list of MonitorMetric primitives.
        - ``stats``, ``supported_instances``: as Nova has them.
        - ``instances``: list of UUIDs, in Nova's order.
        - ``aggregates``: list of Aggregate primitives, in Nova's order.
        - ``service``: mapping. ``up`` says whether it was up by
          [DEFAULT] service_down_time and its heartbeat; None: another driver
          of service groups says that. ``disabled``, ``disabled_reason``,
          ``forced_down``, ``version``, ``uuid``, ``host``, ``binary`` are
          Nova's. There is no heartbeat.
    """

    host: str
    node: str
    uuid: str
    cell: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class JournalProvider:
    """Represent a resource provider of placement's, without children.

    One that is gone has no inventories.

    :param inventories: by resource class: total, reserved, allocation_ratio,
        min_unit, max_unit and step_size, in this order.
    :param used: units that are used, by resource class.
    :param traits: names.
    :param aggregates: UUIDs.
    """

    uuid: str
    inventories: Mapping[str, Sequence[float]]
    used: Mapping[str, int]
    traits: Sequence[str]
    aggregates: Sequence[str]


@dataclass(frozen=True)
class JournalClaim:
    """Represent a claim in placement.

    :param server: UUID.
    :param host: name of the host.
    :param claimed: whether placement granted it.
    """

    server: str
    host: str
    claimed: bool


@dataclass(frozen=True)
class JournalAttempt:
    """Represent one ranking: filters, weighers and driver, for one server.

    A request for several servers has one more where Nova looks for
    alternates: it ranks for the last server again.

    :param index: number of the server, from 0.
    :param server: its UUID; empty in the legacy form.
    :param seed: Nova's draw used ``random.Random(seed)``; None: unknown.
    :param passed: how many hosts are left after filters, weighers and
        driver.
    :param ranked: the first of these, best first: pairs of host and node.
    """

    index: int
    server: str
    seed: int | None
    passed: int
    ranked: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class JournalDecision:
    """Represent one decision, and what it was made from.

    :param id: unique within the worker; counts up.
    :param request_id: of the request's context, as in the record.
    :param time: when the request came.
    :param worker: see :attr:`JournalProcess.worker`.
    :param operation: see :class:`nova_ext.core.request.operation.Operation`.
    :param context: ``user_id``, ``project_id``, ``roles``, ``is_admin`` of
        who asked; empty: unknown.
    :param spec: RequestSpec as a versioned object's primitive, as the first
        filter got it: Nova's prefilters have added what they add. Secrets
        are masked.
    :param servers: UUIDs; empty in the legacy form.
    :param options: ``return_objects`` and ``return_alternates`` of the
        request; empty: unknown.
    :param hosts: all hosts that the first filter got, in Nova's order.
    :param candidates: None: placement was not asked, or its answer was not
        seen. Else a mapping: ``queries``, ``allocation_requests`` and
        ``provider_summaries`` as placement returned them, the first in
        order, and ``version``, placement's microversion. The summaries of
        all queries are one mapping.
    :param attempts: in order.
    :param claims: in order; of plugin mode, the granted ones only. One
        without a server was not sent: other requests of the worker had taken
        the host meanwhile.
    :param destinations: for each server a list of pairs of host and node,
        the chosen one first, then the alternates; empty: none was chosen.
    :param outcome: see :mod:`nova_ext.core.decision.decision`: ``placed``,
        ``no_valid_host``, ``failed`` or, if the end was not seen,
        ``passed``.
    :param error: text of the error; empty if there was none.
    :param fallback: why the mirror did not decide; empty: it did, or is off.
    :param mirrored: whether the mirror decided.
    :param missing: facts that the decision depends on, or may depend on,
        and the journal lacks. None: the decision is exact.
    :param providers: resource providers that differ from those of the
        decisions before, in the epoch.
    :param ended: UUIDs of servers that ended since the decision before. An
        imported journal has them. In a scheduler's, ``instances`` of the
        hosts show it.
    :param known: all hosts that the mirror knew, in its order; ``hosts`` are
        some of them, or newer. Empty: the mirror did not know any.
    :param held: units by resource class, by provider: claims that
        ``providers`` do not show yet.
    :param excluded: UUIDs of providers that the mirror did not offer, as they
        had refused a claim, or what was known of them was too old.
    :param room: where the mirror decided on several servers: for each host,
        how many of them placement had room for. None: not known.
    """

    id: int
    request_id: str
    time: float
    worker: str
    operation: str
    context: Mapping[str, Any]
    spec: Mapping[str, Any]
    servers: Sequence[str]
    options: Mapping[str, Any]
    hosts: Sequence[HostFacts]
    candidates: Mapping[str, Any] | None
    attempts: Sequence[JournalAttempt]
    claims: Sequence[JournalClaim]
    destinations: Sequence[Sequence[tuple[str, str]]]
    outcome: str
    error: str = ''
    fallback: str = ''
    mirrored: bool = False
    missing: Sequence[str] = field(default_factory=tuple)
    providers: Sequence[JournalProvider] = ()
    ended: Sequence[str] = ()
    known: Sequence[HostFacts] = ()
    held: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    excluded: Sequence[str] = ()
    room: Sequence[int] | None = None

    @property
    def is_exact(self) -> bool:
        """Say whether all facts are known that the decision depends on."""
        return not self.missing


@dataclass(frozen=True)
class Damage:
    """Represent what could not be read of a file.

    :param offset: position in the file, in bytes.
    :param text: one line: what is wrong, and what it means.
    """

    offset: int
    text: str


@dataclass(frozen=True)
class LostDecisions:
    """Represent decisions that the scheduler did not write.

    :param count: how many, since the loss before.
    :param why: the last reason.
    """

    time: float
    count: int
    why: str
