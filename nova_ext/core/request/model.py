"""What an extension may read of a host, a request and its context.

Nova's own HostState, RequestSpec and RequestContext satisfy these
protocols, so an extension written against them needs no Nova import. A
contract test holds Nova's objects against every name below.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class HostState(Protocol):
    """A host (one node of it) as the scheduler sees it.

    Amounts are physical and shrink as servers are placed on the host
    within one request.
    """

    @property
    def host(self) -> str:
        """Name of the nova-compute service's host."""

    @property
    def nodename(self) -> str:
        """Hypervisor hostname; several nodes may share one host."""

    @property
    def uuid(self) -> str:
        """Compute node UUID, which is placement's provider UUID."""

    @property
    def cell_uuid(self) -> str:
        """The cell that the host belongs to."""

    @property
    def vcpus_total(self) -> int:
        """Processors of the host, before overcommit."""

    @property
    def vcpus_used(self) -> int:
        """Processors taken by servers; may exceed the total."""

    @property
    def free_ram_mb(self) -> int:
        """Free memory in MiB, before overcommit; may be negative."""

    @property
    def total_usable_ram_mb(self) -> int:
        """All memory in MiB that servers may use."""

    @property
    def free_disk_mb(self) -> int:
        """Free disk in MiB, before overcommit; may be negative."""

    @property
    def num_instances(self) -> int:
        """Servers on the host."""

    @property
    def num_io_ops(self) -> int:
        """Servers that are being built, moved, resized or snapshotted."""

    @property
    def failed_builds(self) -> int:
        """Builds that failed here since the last that succeeded."""

    @property
    def instances(self) -> Mapping[str, Any]:
        """Servers on the host by UUID; often stubs with a UUID only."""

    @property
    def aggregates(self) -> Sequence[Any]:
        """Host aggregates, each with ``name`` and ``metadata``."""


class Flavor(Protocol):
    """The size that is asked for."""

    def __contains__(self, name: str) -> bool:
        """Whether the field is set; extra specs may not be."""

    @property
    def name(self) -> str:
        """The flavor's name."""

    @property
    def vcpus(self) -> int:
        """Processors."""

    @property
    def memory_mb(self) -> int:
        """Memory in MiB."""

    @property
    def root_gb(self) -> int:
        """Root disk in GiB."""

    @property
    def extra_specs(self) -> Mapping[str, str]:
        """Extra specs as the flavor's owner wrote them."""


class Destination(Protocol):
    """Where a request must or must not go; fields may be unset.

    Ask with ``in`` before reading: an unset field raises.
    """

    def __contains__(self, name: str) -> bool:
        """Whether the field is set."""

    @property
    def host(self) -> str | None:
        """The one host that was asked for."""

    @property
    def cell(self) -> Any:
        """The cell that a move stays in."""


class RequestSpec(Protocol):
    """A request to place one server or several, or to move one."""

    def __contains__(self, name: str) -> bool:
        """Whether the field is set."""

    @property
    def instance_uuid(self) -> str:
        """The server that is being placed just now."""

    @property
    def num_instances(self) -> int:
        """Servers asked for when the request was first made."""

    @property
    def project_id(self) -> str:
        """The project that owns the server."""

    @property
    def user_id(self) -> str:
        """The user who owns the server."""

    @property
    def flavor(self) -> Flavor:
        """The size asked for."""

    @property
    def image(self) -> Any:
        """The image's properties; may be None (boot from volume)."""

    @property
    def availability_zone(self) -> str | None:
        """The availability zone asked for."""

    @property
    def scheduler_hints(self) -> Mapping[str, Sequence[Any]] | None:
        """Hints, each a list; free-form and written by the user."""

    @property
    def ignore_hosts(self) -> Sequence[str] | None:
        """Hosts that must not be chosen; a move leaves its host so."""

    @property
    def force_hosts(self) -> Sequence[str] | None:
        """Hosts an administrator forces; filters are then skipped."""

    @property
    def force_nodes(self) -> Sequence[str] | None:
        """Nodes an administrator forces; filters are then skipped."""

    @property
    def requested_destination(self) -> Destination | None:
        """The destination, when the request names or confines one."""

    def get_scheduler_hint(self, hint_name: str, default: Any = None) -> Any:
        """A hint's value: a string if given once, a list if more often."""


class RequestContext(Protocol):
    """Who asks, as the API passed it on."""

    @property
    def request_id(self) -> str:
        """The id that every log line of the request carries."""

    @property
    def remote_address(self) -> str | None:
        """The client's address as nova-api saw it.

        Behind http_proxy_to_wsgi it is the whole forwarding header, part
        of which a client may have written itself.
        """

    @property
    def user_id(self) -> str | None:
        """The calling user: an administrator's, where one moves a server."""

    @property
    def project_id(self) -> str | None:
        """The calling project."""

    @property
    def roles(self) -> Sequence[str]:
        """Role names of the caller."""
