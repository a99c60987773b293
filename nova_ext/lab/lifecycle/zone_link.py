"""Have a zone know its child zone, and wait until it is active there."""

import time
from typing import Any

from keystoneauth1 import adapter, exceptions

from nova_ext.core.base.progress import Progress
from nova_ext.lab.configuration import zone_config
from nova_ext.lab.lifecycle import start, status
from nova_ext.lab.services import layout
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.zone import Zone

_PATIENCE_S = 60
_POLL_S = 0.2


def connect(lab: LabFolder, progress: Progress) -> None:
    """Register a lab's child zone, unless one of the two does not run.

    :raises LabError: when it does not become active.
    """
    place = lab_state.load(lab).zone if lab.exists() else None
    if place is None or place.child is None:
        return
    state, child = _load(lab), _load(paths.locate(place.child))
    if state is None or child is None:
        return
    # The child's ports may be others than before.
    start.configure(lab, state)
    name = zone_config.get_cloud(place)
    with progress.step(f'child zone {name}'):
        try:
            _register(LabUser(state), place, child)
            _wait(LabUser(state).service('scheduler'), name, lab, progress)
        except exceptions.ClientException as error:
            reason = ' '.join(str(error).split())
            raise LabError(
                f'{name} can\'t be made a child zone of {lab.name}: {reason}'
            ) from error


def _load(lab: LabFolder) -> State | None:
    """Return the state of a lab that runs."""
    if not lab.exists():
        return None
    state = lab_state.load(lab)
    return None if status.describe(lab, state) == 'stopped' else state


def _register(cloud: LabUser, place: Zone, child: State) -> None:
    """Create the child zone, or move it to where it is now; map projects."""
    api, name = cloud.service('scheduler'), zone_config.get_cloud(place)
    url, = (
        url for endpoint, url in layout.build_catalog(child).items()
        if endpoint.type == 'scheduler'
    )
    known = _find(api, name) or api.post('/v1/zones', json={
        'zone': {'name': name, 'url': url, 'cloud': name},
    }).json()['zone']
    api.put(f'/v1/zones/{known["id"]}', json={'zone': {
        'url': url, 'projects': _map_projects(cloud, place),
    }})


def _map_projects(cloud: LabUser, place: Zone) -> dict[str, str]:
    """Return which credentials for the child zone each project has."""
    ids = {
        project['name']: project['id'] for project in
        cloud.service('identity').get('/projects').json()['projects']
    }
    return {
        ids[project]: zone_config.get_cloud(place, account)
        for account in zone_config.ACCOUNTS
        for project in zone_config.list_projects(account)
        if project in ids
    }


def _wait(
    api: adapter.Adapter, name: str, lab: LabFolder, progress: Progress
) -> None:
    """Wait until the child zone answers a question of the poller.

    An earlier answer is not enough: the zone may have been down since.
    """
    deadline = time.monotonic() + _PATIENCE_S
    first: Any = _find(api, name)
    while True:
        now: Any = _find(api, name)
        if now['is_active'] and now['last_contact'] != first['last_contact']:
            return
        progress.detail(now['last_error'] or 'not asked yet')
        if time.monotonic() > deadline:
            raise LabError(
                f'child zone {name} is not active after {_PATIENCE_S} s: '
                f'{now["last_error"] or "it was not asked"}; '
                f'log: {lab.log("zone-poller")}'
            )
        time.sleep(_POLL_S)


def _find(api: adapter.Adapter, name: str) -> dict[str, Any] | None:
    zones = api.get('/v1/zones', params={'name': name}).json()['zones']
    return zones[0] if zones else None
