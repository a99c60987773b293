"""Ask placement what the hosts lack, with an operator's credentials."""

from typing import Any

from nova_ext.cli import cloud
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import left_out_probe
from nova_ext.core.decision.decision import Placement, PlacementDiagnosis

#: Nova shows the UUID of a hypervisor from 2.53 on.
_MICROVERSION = '2.53'


def diagnose(placement: Placement) -> PlacementDiagnosis:
    """Find what hosts lack that a decision's query leaves out.

    :raises NovaExtError: where the environment names no cloud, or the cloud
        does not answer, or not to this user.
    """
    if not cloud.is_named():
        raise NovaExtError(f'none of {", ".join(cloud.VARIABLES)} is set')
    with cloud.connect() as connection:
        return left_out_probe.diagnose(
            _ApiCloud(connection), placement.query, [placement.offered]
        )


class _ApiCloud:
    """Read placement and Nova's API.

    :param connection: openstacksdk's.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def get(self, path: str) -> Any:
        """Return the body of placement's answer; None without one.

        :raises NovaExtError: placement refuses this user.
        """
        answer = self._connection.placement.get(
            path, microversion=left_out_probe.MICROVERSION
        )
        if answer.status_code in (401, 403):
            raise NovaExtError('placement refuses it to this user')
        return answer.json() if answer.status_code == 200 else None

    def list_hosts(self) -> dict[str, set[str]]:
        """Return the UUIDs of each host's nodes."""
        services = self._get('/os-services?binary=nova-compute')['services']
        hosts: dict[str, set[str]] = {each['host']: set() for each in services}
        path = '/os-hypervisors/detail'
        while path:
            answer = self._get(path)
            for node in answer['hypervisors']:
                hosts.setdefault(node['service']['host'], set()).add(
                    node['id']
                )
            path = next((
                link['href'] for link in answer.get('hypervisors_links', ())
                if link['rel'] == 'next'
            ), '')
        return hosts

    def list_aggregate_names(self) -> dict[str, str]:
        """Return the names of aggregates, with their zones, by UUID."""
        return {
            aggregate['uuid']: left_out_probe.format_aggregate(
                aggregate['name'], aggregate['availability_zone']
            ) for aggregate in self._get('/os-aggregates')['aggregates']
        }

    def _get(self, path: str) -> Any:
        answer = self._connection.compute.get(path, microversion=_MICROVERSION)
        answer.raise_for_status()
        return answer.json()
