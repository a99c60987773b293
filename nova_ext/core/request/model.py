"""Define what a plugin may read of a host, a request and its context.

Nova's own HostState, RequestSpec and RequestContext satisfy these
protocols, so a plugin needs no import of Nova. A contract test holds
Nova's objects against every name below.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol


class HostState(Protocol):
    """Describe a host (one node of it) as the scheduler sees it.

    Amounts are physical and shrink as servers are placed on the host
    within one request.
    """

    @property
    def host(self) -> str:
        """Return the host of the nova-compute service."""

    @property
    def nodename(self) -> str:
        """Return the hypervisor hostname; nodes may share one host."""

    @property
    def uuid(self) -> str:
        """Return the compute node's UUID, which its provider shares."""

    @property
    def cell_uuid(self) -> str:
        """Return the UUID of the host's cell."""

    @property
    def vcpus_total(self) -> int:
        """Return the vCPUs of the host, before overcommit."""

    @property
    def vcpus_used(self) -> int:
        """Return the vCPUs taken by servers; may exceed the total."""

    @property
    def free_ram_mb(self) -> int:
        """Return free memory in MiB, before overcommit; may be negative."""

    @property
    def total_usable_ram_mb(self) -> int:
        """Return all memory in MiB that servers may use."""

    @property
    def free_disk_mb(self) -> int:
        """Return free disk in MiB, before overcommit; may be negative."""

    @property
    def num_instances(self) -> int:
        """Return the number of servers on the host."""

    @property
    def num_io_ops(self) -> int:
        """Return the servers being built, moved, resized or snapshotted."""

    @property
    def failed_builds(self) -> int:
        """Return the builds that failed since the last that succeeded."""

    @property
    def instances(self) -> Mapping[str, Any]:
        """Return servers by UUID; often stubs with a UUID only."""

    @property
    def aggregates(self) -> Sequence[Any]:
        """Return host aggregates, each with ``name`` and ``metadata``."""


class Columns(Protocol):
    """Describe many hosts at once.

    It is a sequence of host states, and has each attribute of
    :class:`HostState` as a list, with one value a host in the same order.
    A list is made when it is first read. ``hosts.free_ram_mb[2]`` is
    ``hosts[2].free_ram_mb``.
    """

    host: Sequence[str]
    nodename: Sequence[str]
    uuid: Sequence[str]
    cell_uuid: Sequence[str]
    vcpus_total: Sequence[int]
    vcpus_used: Sequence[int]
    free_ram_mb: Sequence[int]
    total_usable_ram_mb: Sequence[int]
    free_disk_mb: Sequence[int]
    num_instances: Sequence[int]
    num_io_ops: Sequence[int]
    failed_builds: Sequence[int]
    instances: Sequence[Mapping[str, Any]]
    aggregates: Sequence[Sequence[Any]]

    def __len__(self) -> int:
        """Return the number of hosts."""

    def __getitem__(self, position: int) -> HostState:
        """Return a host."""

    def __iter__(self) -> Iterator[HostState]:
        """Iterate over the hosts."""


class Flavor(Protocol):
    """Describe the size of a server."""

    def __contains__(self, name: str) -> bool:
        """Say whether a field is set; extra specs may not be."""

    @property
    def name(self) -> str:
        """Return the flavor's name."""

    @property
    def vcpus(self) -> int:
        """Return the number of vCPUs."""

    @property
    def memory_mb(self) -> int:
        """Return the memory in MiB."""

    @property
    def root_gb(self) -> int:
        """Return the size of the root disk in GiB."""

    @property
    def extra_specs(self) -> Mapping[str, str]:
        """Return the extra specs."""


class Destination(Protocol):
    """Describe where a request must or must not go.

    Check with ``in`` before reading: a field that is not set raises.
    """

    def __contains__(self, name: str) -> bool:
        """Say whether a field is set."""

    @property
    def host(self) -> str | None:
        """Return the only host that may be chosen."""

    @property
    def cell(self) -> Any:
        """Return the cell that a move stays in."""


class RequestSpec(Protocol):
    """Describe a request to place one server or several, or to move one."""

    def __contains__(self, name: str) -> bool:
        """Say whether a field is set."""

    @property
    def instance_uuid(self) -> str:
        """Return the UUID of the server that is being placed now."""

    @property
    def num_instances(self) -> int:
        """Return the number of servers in the original request."""

    @property
    def project_id(self) -> str:
        """Return the project that owns the server."""

    @property
    def user_id(self) -> str:
        """Return the user who owns the server."""

    @property
    def flavor(self) -> Flavor:
        """Return the requested flavor."""

    @property
    def image(self) -> Any:
        """Return the image's properties; None if it boots from a volume."""

    @property
    def availability_zone(self) -> str | None:
        """Return the requested availability zone."""

    @property
    def scheduler_hints(self) -> Mapping[str, Sequence[Any]] | None:
        """Return the user's hints, each a list of any JSON."""

    @property
    def ignore_hosts(self) -> Sequence[str] | None:
        """Return hosts that must not be chosen, such as the one left."""

    @property
    def force_hosts(self) -> Sequence[str] | None:
        """Return hosts that an administrator or a rebuild forced."""

    @property
    def force_nodes(self) -> Sequence[str] | None:
        """Return nodes, as ``force_hosts`` has hosts."""

    @property
    def requested_destination(self) -> Destination | None:
        """Return the requested destination, or limits to it."""

    def get_scheduler_hint(self, hint_name: str, default: Any = None) -> Any:
        """Return a hint: one value as it is, several as a list."""


class RequestContext(Protocol):
    """Describe the caller, as the API passed it on."""

    @property
    def request_id(self) -> str:
        """Return the id in every log line of the request."""

    @property
    def remote_address(self) -> str | None:
        """Return the client's address as nova-api saw it.

        Behind http_proxy_to_wsgi it is the whole forwarding header, which
        a client may have written in part.
        """

    @property
    def user_id(self) -> str | None:
        """Return the calling user, who need not own the server."""

    @property
    def project_id(self) -> str | None:
        """Return the calling project."""

    @property
    def roles(self) -> Sequence[str]:
        """Return the caller's role names."""
