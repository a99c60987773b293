"""Test doubles for authors of extensions: hosts and requests to ask about.

They carry every name of :mod:`nova_ext.core.request.model`, so what passes with
them sees the same names in the scheduler.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base.scheduling_errors import NoHostError
from nova_ext.core.decision.decision import Attempt
from nova_ext.core.plugin import host_choice
from nova_ext.core.stats import capabilities
from nova_ext.core.stats.stats import Stat


@dataclass(frozen=True)
class FakeHost:
    """A host state; make one with :func:`make_host`."""

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


@dataclass(frozen=True)
class FakeFlavor:
    """A flavor of the size of m1.small."""

    name: str = 'm1.small'
    vcpus: int = 1
    memory_mb: int = 2048
    root_gb: int = 20
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.__dataclass_fields__


@dataclass(frozen=True)
class FakeDestination:
    """A requested destination; None counts as unset, as in Nova."""

    host: str | None = None
    cell: Any = None
    allow_cross_cell_move: bool = False

    def __contains__(self, name: str) -> bool:
        return getattr(self, name, None) is not None


@dataclass(frozen=True)
class FakeRequest:
    """A request spec; make one with :func:`make_request`."""

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
        """A hint as Nova gives it: one value bare, several as a list."""
        value = self.scheduler_hints.get(hint_name, default)
        if isinstance(value, list) and len(value) == 1:
            return value[0]
        return value


@dataclass(frozen=True)
class FakeContext:
    """A request context."""

    request_id: str = 'req-00000000-0000-0000-0000-000000000001'
    remote_address: str | None = '127.0.0.1'
    user_id: str | None = 'user'
    project_id: str | None = 'project'
    roles: Sequence[str] = ('member',)


@dataclass(frozen=True)
class FakeFacts:
    """Facts about a cloud.

    :param up: names of the hosts that are up, of any topic.
    :param server_hosts: hosts of servers, by the server's UUID.
    :param owned: numbers of the owner's servers, by host name.
    :param reported: what services report, by host name; of any topic.
    :param stats: stats by host name, each with its values by name.
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
        """Names of the hosts that are up."""
        return list(self.up)

    def capabilities(self, topic: str) -> Mapping[str, Any]:
        """What services report."""
        return self.reported

    def stat(self, host: Any, name: str) -> Stat:
        """A stat of a host; none that is not listed."""
        value = self.stats.get(host.host, {}).get(name)
        return Stat(value, '' if value is not None else f'no stat {name}')

    def global_request_id(self, request: Any) -> str | None:
        """The id that whoever made the request gave it."""
        return self.global_id

    def server_host(self, context: Any, server_uuid: str) -> str | None:
        """The host of a server; None for one that is not listed."""
        return self.server_hosts.get(server_uuid)

    def servers_of_owner(self, host: Any, request: Any) -> int:
        """The owner's servers on a host; none on one that is not listed."""
        return self.owned.get(host.host, 0)


@dataclass(frozen=True)
class FakeChooser:
    """Chooses as the scheduler does, and records nothing.

    :param hosts: whose services report; see :func:`make_service_host`.
    :param filters: of the driver's topic.
    :param weighers: of the driver's topic.
    """

    hosts: Sequence[host_choice.ServiceHost]
    filters: Sequence[Any] = ()
    weighers: Sequence[Any] = ()

    def choose(
        self, context: Any, request: Mapping[str, Any], count: int = 1
    ) -> host_choice.Choice:
        """Choose; the reason is empty."""
        ranked = host_choice.choose(
            Attempt('', 0, len(self.hosts)), self.hosts, request,
            self.filters, self.weighers,
        )
        if not ranked:
            raise NoHostError('no host fits')
        return host_choice.Choice(ranked, '')


def make_service_host(
    host: str = 's-1', **reported: Any
) -> host_choice.ServiceHost:
    """Make a host of a topic other than compute.

    :param host: its name.
    :param reported: what its service reports, values by key.
    """
    return host_choice.ServiceHost(host, capabilities.checked(reported))


def make_host(host: str = 'cmp-1', **fields: Any) -> FakeHost:
    """Make a host state.

    :param host: its name; the node's is the same unless given.
    :param fields: any field of a host state.
    """
    return FakeHost(host, fields.pop('nodename', host), **fields)


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
    """Make a request context.

    :param fields: any field of a context.
    """
    return FakeContext(**fields)
