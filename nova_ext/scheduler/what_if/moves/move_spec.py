"""Make the request spec with which Nova would ask for a server's new host.

Nova's API and conductor change the stored request spec, each operation by
rules of its own (nova.compute.api, nova.conductor.manager and its tasks, 31
to 34). Here the same is done to a copy, and nothing is stored.
"""

from collections.abc import Callable
from typing import Any

import os_traits
from nova import context as nova_context
from nova import exception, objects
from nova.compute import utils as compute_utils
from nova.scheduler import utils
from nova.scheduler.client import report

from nova_ext.core.base.scheduling_errors import (
    MoveRefusedError,
    WrongArgumentsError,
)
from nova_ext.core.rpc.move_request import Move, MoveRequest
from nova_ext.scheduler.base import options
from nova_ext.scheduler.facts import cells
from nova_ext.scheduler.what_if.moves import (
    api_rules,
    refusals,
    resized_flavor,
)

#: Read together with a server.
_FIELDS = [
    'flavor', 'info_cache', 'numa_topology', 'pci_requests', 'system_metadata',
]


class MoveSpec:
    """Make the request spec of one move.

    :param context: the caller's.
    :param request: what is to be done.
    :param source: the host on which the server is taken to be; empty: that
        which Nova has.
    :ivar server: the Instance.
    :ivar notes: what was not looked at.
    :raises WrongArgumentsError: for a server, flavor or host that Nova does
        not have.
    :raises MoveRefusedError: Nova would ask no scheduler; it says why.
    """

    def __init__(
        self, context: Any, request: MoveRequest, source: str = ''
    ) -> None:
        self._context = context
        self._request = request
        self._cell = _find_cell(context, request.server)
        self.server = self._in_cell(self._read_server, source)
        api_rules.check_state(request.operation, self.server)
        source_is_up = self._in_cell(self._is_source_up)
        api_rules.check_source(
            request.operation, self.server, is_up=source_is_up
        )
        refusals.check_devices(
            request.operation, self.server,
            has_share=self._in_cell(self._has_share),
        )
        self._flavor = self._find_flavor()
        self._destination = self._in_cell(self._find_destination)
        self._ignored = self._in_cell(self._list_ignored)
        self.notes = [*api_rules.list_notes(
            context, request.operation, self.server, self._flavor,
            source_is_up=source_is_up,
        ), *self._note_options()]

    @property
    def takes_alternates(self) -> bool:
        """Say whether nova-conductor asks for alternates."""
        return self._request.operation in (Move.MIGRATE, Move.RESIZE)

    def make(self) -> tuple[Any, list[str]]:
        """Make a request spec that a decision may change.

        :returns: it, and the server's UUID as the only one.
        """
        try:
            return self._in_cell(self._make), [self._request.server]
        except (exception.NovaException, ValueError) as error:
            raise WrongArgumentsError(' '.join(str(error).split())) from error

    def ignore_refusing(self, host: str) -> bool:
        """Ignore a chosen host if nova-conductor would refuse it.

        :returns: whether it is ignored from now on: a decision made again
            chooses another.
        :raises MoveRefusedError: nova-conductor would give up.
        """
        if self._request.operation != Move.LIVE_MIGRATE:
            return False
        if not self._in_cell(self._is_incompatible, host):
            return False
        most = options.CONF.migrate_max_retries
        if most != -1 and len(self._ignored) > most:
            raise MoveRefusedError(
                f'nova-conductor gives up after migrate_max_retries = {most}: '
                f'it refuses {", ".join([*self._ignored[1:], host])}'
            )
        self._ignored.append(host)
        return True

    def _in_cell(self, read: Callable[..., Any], *args: Any) -> Any:
        """Call with a context of the server's cell, an administrator's."""
        with (
            cells.use_admin_context() as admin,
            nova_context.target_cell(admin, self._cell) as in_cell,
        ):
            return read(in_cell, *args)

    def _read_server(self, in_cell: Any, source: str) -> Any:
        try:
            server = objects.Instance.get_by_uuid(
                in_cell, self._request.server, expected_attrs=_FIELDS
            )
        except exception.InstanceNotFound as error:
            raise _no_server(self._request.server) from error
        if source and source != server.host:
            node = _get_node(in_cell, source)
            server.host, server.node = node.host, node.hypervisor_hostname
        return server

    def _is_source_up(self, in_cell: Any) -> bool:
        host = self.server.host
        return bool(host) and api_rules.is_up(
            objects.Service.get_by_compute_host(in_cell, host)
        )

    def _find_flavor(self) -> Any:
        """Return the flavor that the server is to have."""
        if self._request.operation != Move.RESIZE:
            return self.server.flavor
        return resized_flavor.find(
            self._context, self.server, self._request.flavor,
            is_volume_backed=self._in_cell(self._is_volume_backed),
        )

    def _is_volume_backed(self, in_cell: Any) -> bool:
        return bool(compute_utils.is_volume_backed_instance(
            in_cell, self.server
        ))

    def _has_share(self, in_cell: Any) -> bool:
        return bool(objects.ShareMappingList.get_by_instance_uuid(
            in_cell, self._request.server
        ))

    def _find_destination(self, in_cell: Any) -> Any:
        """Return the Destination that is asked for, without its cell."""
        operation, host = self._request.operation, self._request.host
        if not host:
            return objects.Destination()
        api_rules.check_destination(operation, self.server, host)
        try:
            node = _get_node(in_cell, host)
        except exception.ComputeHostNotFound as error:
            raise WrongArgumentsError(
                f'the cell of the server has no compute host {host}'
            ) from error
        if operation == Move.UNSHELVE:
            return objects.Destination(host=host)
        return objects.Destination(
            host=node.host, node=node.hypervisor_hostname
        )

    def _list_ignored(self, in_cell: Any) -> list[str]:
        """Return the hosts that the operation leaves."""
        operation, host = self._request.operation, self.server.host
        if operation in (Move.UNSHELVE, Move.REBUILD) or (
            operation == Move.RESIZE
            and options.CONF.allow_resize_to_same_host
        ):
            return []
        if operation == Move.MIGRATE:
            node = objects.ComputeNode.get_by_host_and_nodename(
                in_cell, host, self.server.node
            )
            traits = report.report_client_singleton().get_provider_traits(
                in_cell, node.uuid
            ).traits
            if os_traits.COMPUTE_SAME_HOST_COLD_MIGRATE in traits:
                return []
        return [host]

    def _note_options(self) -> list[str]:
        if self._request.operation != Move.RESIZE:
            return []
        may = 'may' if options.CONF.allow_resize_to_same_host else 'may not'
        return [
            f'the server {may} stay on its host by allow_resize_to_same_host '
            f'of the scheduler\'s configuration; nova-api reads its own'
        ]

    def _make(self, in_cell: Any) -> Any:
        spec = self._read_spec()
        destination = objects.Destination(**{
            name: getattr(self._destination, name)
            for name in ('host', 'node') if name in self._destination
        }, cell=self._cell)
        spec.requested_destination = destination
        if self._request.operation == Move.UNSHELVE:
            refusals.check_zone(in_cell, spec, self._request.host)
        if self._request.operation == Move.REBUILD:
            self._change_image(spec)
        else:
            # A move is not forced to the host of the boot.
            spec.reset_forced_destinations()
            spec.ignore_hosts = list(self._ignored)
            spec.requested_resources = []
            spec.request_level_params = objects.RequestLevelParams()
            if self._request.operation == Move.RESIZE:
                resized_flavor.change(spec, self._flavor, self.server)
            spec.generate_request_groups_from_pci_requests()
        utils.setup_instance_group(in_cell, spec)
        spec.ensure_project_and_user_id(self.server)
        spec.ensure_network_information(self.server)
        if 'is_bfv' not in spec:
            spec.is_bfv = self._is_volume_backed(in_cell)
        return spec

    def _read_spec(self) -> Any:
        """Return the request that Nova keeps of the server.

        :raises WrongArgumentsError: there is none, or it can't be read.
        """
        try:
            return objects.RequestSpec.get_by_instance_uuid(
                self._context, self._request.server
            )
        # What the database holds instead may raise anything.
        except Exception as error:
            raise WrongArgumentsError(
                f'the request that Nova keeps of server '
                f'{self._request.server} can\'t be read: '
                f'{type(error).__name__}: {" ".join(str(error).split())}'
            ) from error

    def _change_image(self, spec: Any) -> None:
        """Ask whether the server may stay, with another image."""
        if self._request.image.get('id') == self.server.image_ref:
            raise MoveRefusedError(
                f'no scheduler is asked: the server has this image, and stays '
                f'on {self.server.host}'
            )
        try:
            spec.image = objects.ImageMeta.from_dict(self._request.image)
        except (TypeError, AttributeError) as error:
            raise WrongArgumentsError(
                f'the image is not as Nova keeps it: {error}'
            ) from error
        hints = spec.scheduler_hints if 'scheduler_hints' in spec else {}
        spec.scheduler_hints = {**hints, '_nova_check_type': ['rebuild']}
        spec.force_hosts = [self.server.host]
        spec.force_nodes = [self.server.node]

    def _is_incompatible(self, in_cell: Any, host: str) -> bool:
        """Say whether nova-conductor would try another destination."""
        source = _get_node(in_cell, self.server.host)
        destination = _get_node(in_cell, host)
        if source.hypervisor_type != destination.hypervisor_type:
            return True
        if options.CONF.workarounds.skip_hypervisor_version_check_on_lm:
            return False
        return bool(
            source.hypervisor_version > destination.hypervisor_version
        )


def _find_cell(context: Any, server: str) -> Any:
    try:
        mapping = objects.InstanceMapping.get_by_instance_uuid(context, server)
    except exception.InstanceMappingNotFound as error:
        raise _no_server(server) from error
    if mapping.cell_mapping is None:
        raise MoveRefusedError(
            f'server {server} has no host yet: it is being scheduled'
        )
    return mapping.cell_mapping


def _no_server(server: str) -> WrongArgumentsError:
    return WrongArgumentsError(f'Nova has no server {server}')


def _get_node(in_cell: Any, host: str) -> Any:
    return objects.ComputeNode.get_first_node_by_host_for_old_compat(
        in_cell, host
    )
