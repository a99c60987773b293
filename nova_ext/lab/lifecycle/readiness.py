"""Whether a cloud serves, as its users see it."""

import time

from keystoneauth1 import exceptions

from nova_ext.core.base.progress import Progress
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import Host

_PATIENCE_S = 60
_POLL_S = 0.2


def wait(cloud: Cloud, hosts: list[Host], progress: Progress) -> None:
    """Wait until every compute is up and Placement offers it.

    :raises LabError: when that does not come to pass.
    """
    names = {host.name for host in hosts}
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        missing = _missing(cloud, names)
        if not missing:
            return
        progress.detail(missing)
        if time.monotonic() > deadline:
            raise LabError(f'the cloud does not serve: {missing}')
        time.sleep(_POLL_S)


def _missing(cloud: Cloud, names: set[str]) -> str:
    """Return what is not there yet, in words; empty when all is."""
    try:
        down = names - _up(cloud)
        absent = names - _offered(cloud)
    except exceptions.ClientException as error:
        return ' '.join(str(error).split())
    if down:
        return f'{len(down)} computes are not up, such as {min(down)}'
    if absent:
        return f'Placement lacks {len(absent)} computes, such as {min(absent)}'
    return ''


def _up(cloud: Cloud) -> set[str]:
    services = cloud.get('compute', '/os-services?binary=nova-compute')
    return {
        service['host']
        for service in services['services']
        if service['state'] == 'up'
    }


def _offered(cloud: Cloud) -> set[str]:
    # Nova sets the trait after the inventory.
    providers = cloud.get(
        'placement', '/resource_providers?required=COMPUTE_NODE'
    )
    return {
        provider['name'] for provider in providers['resource_providers']
    }
