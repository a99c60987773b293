"""Refuse what nova-api refuses for a server's devices.

nova-api says so by decorators of its methods, which differ between Nova 31,
33 and 34: those of the installed release are looked up.
"""

import functools
import importlib
from collections.abc import Iterator
from typing import Any

from nova import availability_zones
from nova.network import model
from nova.virt import hardware

from nova_ext.core.base.scheduling_errors import MoveRefusedError
from nova_ext.core.rpc.move_request import Move

DEVICE_PROFILE = 'accel:device_profile'
#: The method of nova.compute.api.API for each operation.
METHODS: dict[str, str] = {
    Move.MIGRATE: 'resize', Move.RESIZE: 'resize',
    Move.LIVE_MIGRATE: 'live_migrate', Move.EVACUATE: 'evacuate',
    Move.UNSHELVE: 'unshelve', Move.REBUILD: 'rebuild',
}
#: Operations that no release offers where Cyborg has devices of the server:
#: the others need nova-computes that are older than Nova 31.
_WITHOUT_CYBORG = (Move.MIGRATE, Move.RESIZE, Move.LIVE_MIGRATE)
_PORT_ACCELERATORS = (
    model.VNIC_TYPE_ACCELERATOR_DIRECT,
    model.VNIC_TYPE_ACCELERATOR_DIRECT_PHYSICAL,
)


def check_devices(operation: str, server: Any, *, has_share: bool) -> None:
    """Check what the server has besides vCPUs, memory and disks.

    :param server: an Instance.
    :param has_share: whether a share of Manila is attached to it.
    :raises MoveRefusedError: saying what nova-api refuses.
    """
    for reason in _list_reasons(operation, server, has_share=has_share):
        raise MoveRefusedError(f'nova-api refuses {operation}: {reason}')


def check_flavor(server: Any, flavor: Any, *, is_volume_backed: bool) -> None:
    """Check the new flavor of a resize.

    :raises MoveRefusedError: saying what nova-api refuses.
    """
    if DEVICE_PROFILE in flavor.extra_specs:
        raise MoveRefusedError(
            f'nova-api refuses resize: flavor {flavor.flavorid} has '
            f'{DEVICE_PROFILE}'
        )
    if not flavor.root_gb and server.flavor.root_gb and not is_volume_backed:
        raise MoveRefusedError(
            f'nova-api refuses resize: flavor {flavor.flavorid} has no root '
            f'disk, and the server does not boot from a volume'
        )


def check_zone(context: Any, spec: Any, host: str) -> None:
    """Check the host to which a server is unshelved.

    :param spec: the server's request spec.
    :raises MoveRefusedError: it is in another zone than the server asks for.
    """
    zone = spec.availability_zone if 'availability_zone' in spec else None
    if not host or not zone:
        return
    actual = availability_zones.get_host_availability_zone(context, host)
    if actual != zone:
        raise MoveRefusedError(
            f'nova-api refuses unshelve: {host} is in availability zone '
            f'{actual}, and the server asks for {zone}'
        )


@functools.cache
def list_checks(operation: str) -> frozenset[str]:
    """Return the names of the decorators of nova-api's method."""
    # It imports the clients of other services; few schedulers are asked.
    method = getattr(
        importlib.import_module('nova.compute.api').API, METHODS[operation]
    )
    names = set()
    while method is not None:
        names.add(method.__code__.co_qualname.split('.')[0])
        method = getattr(method, '__wrapped__', None)
    return frozenset(names)


def _list_reasons(
    operation: str, server: Any, *, has_share: bool
) -> Iterator[str]:
    checks = list_checks(operation)
    flavor, image = server.flavor, server.image_meta
    if hardware.get_vtpm_constraint(flavor, image) and (
        'reject_vtpm_instances' in checks or (
            'reject_legacy_vtpm_live_migration' in checks
            and _get_security(flavor) != 'host'
        )
    ):
        yield 'the server has a vTPM'
    if has_share and 'block_shares_not_supported' in checks:
        yield 'the server has a share'
    if DEVICE_PROFILE in flavor.extra_specs and operation in _WITHOUT_CYBORG:
        yield f'the server\'s flavor has {DEVICE_PROFILE}'
    # Its name in Nova 31 and 33, and in 34.
    if checks & {'reject_sev_instances', 'reject_mem_enc_instances'} and (
        hardware.get_mem_encryption_constraint(flavor, image)
    ):
        yield 'the server\'s memory is encrypted'
    ports = server.info_cache and server.info_cache.network_info
    if 'block_port_accelerators' in checks and any(
        port['vnic_type'] in _PORT_ACCELERATORS for port in ports or ()
    ):
        yield 'a port of the server has an accelerator'


def _get_security(flavor: Any) -> str | None:
    """Return who may read the secret of a vTPM."""
    # Nova 31 has none, and no such check.
    get = getattr(hardware, 'get_tpm_secret_security_constraint', None)
    return get and get(flavor)
