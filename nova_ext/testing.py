"""Provide test doubles of hosts, requests and facts for plugin authors.

They have every name of :mod:`nova_ext.core.request.model`, as Nova's own
objects have. ``check`` and ``weigh`` ask a plugin as the scheduler does.
``assert_same_answers`` compares what a plugin says of many hosts with what it
says of each.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base.scheduling_errors import NoHostError
from nova_ext.core.decision.decision import Attempt
from nova_ext.core.plugin import evaluation, topic_choice
from nova_ext.core.plugin.answers import Verdict
from nova_ext.core.stats import capabilities
from nova_ext.core.stats.stats import Stat


@dataclass(frozen=True)
class FakeHost:
    """Stand in for a host state; make one with :func:`make_host`."""

    host: str
    nodename: str
    uuid: str = '00000000-0000-0000-0000-000000000001'
    cell_uuid: str = '00000000-0000-0000-0000-00000000ce11'
    vcpus_total: int = 8
    vcpus_used: int = 0
    free_ram_mb: int = 16384
    total_usable_ram_mb: int = 16384
    free_disk_mb: int = 102400
    num_instances: int = 0
    num_io_ops: int = 0
    failed_builds: int = 0
    instances: Mapping[str, Any] = field(default_factory=dict)
    aggregates: Sequence[Any] = ()


class FakeColumns:
    """Stand in for the columns of hosts.

    :param hosts: host states.
    """

    def __init__(self, hosts: Sequence[Any]) -> None:
        self._hosts = hosts

    def __len__(self) -> int:
        return len(self._hosts)

    def __getitem__(self, position: int) -> Any:
        return self._hosts[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._hosts)

    def __getattr__(self, name: str) -> Any:
        return [getattr(host, name) for host in self._hosts]


@dataclass(frozen=True)
class FakeFlavor:
    """Stand in for a flavor, of the size of m1.small."""

    name: str = 'm1.small'
    vcpus: int = 1
    memory_mb: int = 2048
    root_gb: int = 20
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.__dataclass_fields__


@dataclass(frozen=True)
class FakeDestination:
    """Stand in for a requested destination; None counts as unset."""

    host: str | None = None
    cell: Any = None
    allow_cross_cell_move: bool = False

    def __contains__(self, name: str) -> bool:
        return getattr(self, name, None) is not None


@dataclass(frozen=True)
class FakeRequest:
    """Stand in for a request spec; make one with :func:`make_request`."""

    instance_uuid: str = '00000000-0000-0000-0000-0000000000aa'
    num_instances: int = 1
    project_id: str = 'project'
    user_id: str = 'user'
    flavor: FakeFlavor = field(default_factory=FakeFlavor)
    image: Any = None
    availability_zone: str | None = None
    scheduler_hints: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ignore_hosts: Sequence[str] = ()
    force_hosts: Sequence[str] = ()
    force_nodes: Sequence[str] = ()
    requested_destination: FakeDestination | None = None

    def __contains__(self, name: str) -> bool:
        return name in self.__dataclass_fields__

    def get_scheduler_hint(self, hint_name: str, default: Any = None) -> Any:
        """Return a hint as Nova does: one value bare, several as a list."""
        value = self.scheduler_hints.get(hint_name, default)
        if isinstance(value, list) and len(value) == 1:
            return value[0]
        return value


@dataclass(frozen=True)
class FakeAggregate:
    """Stand in for a host aggregate."""

    name: str
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FakeContext:
    """Stand in for a request context."""

    request_id: str = 'req-00000000-0000-0000-0000-000000000001'
    remote_address: str | None = '127.0.0.1'
    user_id: str | None = 'user'
    project_id: str | None = 'project'
    roles: Sequence[str] = ('member',)


@dataclass(frozen=True)
class FakeFacts:
    """Stand in for facts about the cloud.

    :param up: names of the hosts that are up, for any topic.
    :param server_hosts: hosts of servers, by the server's UUID.
    :param owned: numbers of the owner's servers, by host name.
    :param reported: capabilities by host name, for any topic.
    :param stats: values by name of the stat, by host name.
    :param global_id: the global request id of every request.
    """

    up: Sequence[str] = ()
    server_hosts: Mapping[str, str] = field(default_factory=dict)
    owned: Mapping[str, int] = field(default_factory=dict)
    reported: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=dict
    )
    stats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    global_id: str | None = None

    def hosts_up(self, context: Any, topic: str) -> list[str]:
        """Return the names of the hosts that are up."""
        return list(self.up)

    def get_capabilities(self, topic: str) -> Mapping[str, Any]:
        """Return the capabilities by host name."""
        return self.reported

    def get_stat(self, host: Any, name: str) -> Stat:
        """Return a stat of a host, without a value if it is not listed."""
        value = self.stats.get(host.host, {}).get(name)
        return Stat(value, '' if value is not None else f'no stat {name}')

    def get_global_request_id(self, request: Any) -> str | None:
        """Return the global request id."""
        return self.global_id

    def get_server_host(self, context: Any, server_uuid: str) -> str | None:
        """Return the host of a server; None if it is not listed."""
        return self.server_hosts.get(server_uuid)

    def count_servers_of_owner(
        self, host: Any, request: Any, owner_id: str = ''
    ) -> int:
        """Return the owner's servers on a host; 0 if it is not listed."""
        return self.owned.get(host.host, 0)


@dataclass(frozen=True)
class FakeChooser:
    """Choose as the scheduler does, and record nothing.

    :param hosts: hosts of the driver's topic; see :func:`make_service_host`.
    """

    hosts: Sequence[topic_choice.ServiceHost]
    filters: Sequence[Any] = ()
    weighers: Sequence[Any] = ()

    def choose(
        self, context: Any, request: Mapping[str, Any], count: int = 1
    ) -> topic_choice.Choice:
        """Choose hosts; the reason is empty."""
        ranked = topic_choice.choose(
            Attempt('', 0, len(self.hosts)), self.hosts, request,
            self.filters, self.weighers,
        )
        if not ranked:
            raise NoHostError('no host fits')
        return topic_choice.Choice(ranked, '')


def make_service_host(
    host: str = 's-1', **reported: Any
) -> topic_choice.ServiceHost:
    """Make a host of a topic other than compute.

    :param host: its name.
    :param reported: its capabilities, values by key.
    """
    return topic_choice.ServiceHost(host, capabilities.validate(reported))


def make_host(host: str = 'cmp-1', **fields: Any) -> FakeHost:
    """Make a host state.

    :param host: its name; the node's is the same unless given.
    :param fields: any field of a host state.
    """
    return FakeHost(host, fields.pop('nodename', host), **fields)


def make_random_hosts(
    generator: random.Random, count: int = 20
) -> list[FakeHost]:
    """Make host states that differ, some with nothing free.

    :param count: number of hosts, ``cmp-0``, ``CMP-1``, ``cmp-2`` and so on.
    """
    draw = generator.choice
    aggregates = [FakeAggregate(f'a{n}', {'rack': f'{n}'}) for n in range(3)]
    return [make_host(
        f'CMP-{number}' if number % 5 == 1 else f'cmp-{number}',
        nodename=f'node-{number}', uuid=f'{generator.getrandbits(128):032x}',
        vcpus_used=draw((0, 7, 8, 9, 64)),
        free_ram_mb=draw((-1, 0, 2047, 2048, 2049, 16384)),
        free_disk_mb=draw((-1, 0, 20480, 102400)),
        num_instances=draw((0, 1, 50)), num_io_ops=draw((0, 1, 9)),
        failed_builds=draw((0, 0, 3)),
        instances=draw(({}, {'00000000-0000-0000-0000-0000000000bb': None})),
        aggregates=generator.sample(aggregates, draw((0, 1, 2))),
    ) for number in range(count)]


def make_request(
    hints: Mapping[str, Any] | None = None, **fields: Any
) -> FakeRequest:
    """Make a request spec.

    :param hints: scheduler hints; a value may be a string or a list.
    :param fields: any field of a request spec.
    """
    listed = {
        name: value if isinstance(value, list) else [value]
        for name, value in (hints or {}).items()
    }
    return FakeRequest(scheduler_hints=listed, **fields)


def make_context(**fields: Any) -> FakeContext:
    """Make a request context with the given fields."""
    return FakeContext(**fields)


def check(filter_: Any, host: Any, request: Any) -> Verdict:
    """Return a filter's verdict on one host; ``prepare`` runs first."""
    return evaluation.check_each(filter_, [host], request)[0]


def weigh(weigher: Any, host: Any, request: Any) -> float:
    """Return a weigher's weight of one host; ``prepare`` runs first."""
    return evaluation.weigh_each(weigher, [host], request)[0]


def assert_same_answers(
    plugin: Any, request: Any, hosts: Sequence[Any] | None = None
) -> None:
    """Compare ``check_all`` with ``check``, ``weigh_all`` with ``weigh``.

    Do it for each kind of request that the plugin answers in another way.

    :param plugin: a filter or weigher.
    :param hosts: host states, at least one; None: 200 that differ, the same
        ones each time.
    :raises AssertionError: for the first host for which the two differ.
    """
    hosts = hosts or make_random_hosts(random.Random(0), 200)  # noqa: S311  not a secret
    one, many = (
        ('check', 'check_all') if hasattr(plugin, 'check')
        else ('weigh', 'weigh_all')
    )
    name = type(plugin).__name__
    prepared = plugin.prepare(request)
    if isinstance(prepared, Verdict):  # it holds for all hosts
        return
    answers = list(getattr(plugin, many)(FakeColumns(hosts), prepared))
    if len(answers) != len(hosts):
        raise AssertionError(
            f'{name}.{many}() gives {len(answers)} answers for '
            f'{len(hosts)} hosts'
        )
    for host, answer in zip(hosts, answers, strict=True):
        expected = getattr(plugin, one)(host, prepared)
        # A tuple that is no verdict may be equal to one.
        kinds = {type(answer), type(expected)} if one == 'check' else ()
        if answer != expected or len(kinds) > 1:
            raise AssertionError(
                f'{name}.{many}() says {answer!r}, {one}() says '
                f'{expected!r} of {host!r}'
            )
