"""Take an availability zone as nova-api takes it for a new server."""

from typing import Any

from nova import availability_zones, objects

from nova_ext.core.base import errors
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.facts import cells


def resolve(zone: str, host: str, node: str) -> str | None:
    """Return the zone that nova-api puts into the request spec.

    It drops the zone where the request forces a host outside of it
    (nova.api.openstack.compute.servers, bug 1934770).

    :param zone: the requested zone; empty: the configured one, if any.
    :param host: the forced host; empty: none.
    :param node: the forced node; empty: none.
    :raises WrongArgumentsError: for a zone without an enabled service, which
        nova-api refuses.
    """
    wanted: str | None = zone or CONF.default_schedule_zone
    if (host or node) and wanted != _get_zone(host):
        wanted = None
    if wanted and not host:
        available = _list_available()
        if wanted not in available:
            internal = CONF.internal_service_availability_zone
            known = [name for name in available if name != internal]
            raise WrongArgumentsError(
                f'The requested availability zone is not available: {wanted}; '
                f'{errors.suggest_names(wanted, known)}'
            )
    return wanted


def _get_zone(host: str) -> str:
    """Return a host's zone; of no host, the default one."""
    if not host:
        return str(CONF.default_availability_zone)
    with cells.use_admin_context() as admin:
        return str(availability_zones.get_host_availability_zone(admin, host))


def _list_available() -> list[str]:
    services: list[Any] = []
    by_cell = cells.gather(objects.ServiceList.get_all, set_zones=True)
    for in_cell in by_cell.values():
        services.extend(in_cell or ())
    with cells.use_admin_context() as admin:
        return list(availability_zones.get_availability_zones(
            admin, None, get_only_available=True, services=services
        ))
