"""Show a build of servers over the zones of a lab."""

from nova_ext.lab.demo.show import Show
from nova_ext.lab.state.errors import LabError

_COUNT, _NAME = 30, 'demo-zones'
_ZONE = ('openstack', 'scheduler', 'zone')
_PLAN = ('openstack', 'scheduler', 'build', 'plan')
_CREATE = (
    *_PLAN, 'create', '--flavor', 'm1.tiny', '--image', 'cirros', '--network',
    'none', '--count', str(_COUNT),
)


def run(show: Show) -> None:
    """Plan, create, show and delete a build.

    :raises LabError: when the lab is not the first of several zones.
    """
    zone = show.state.zone
    if zone is None or zone.depth:
        first = zone.labs[0] if zone else f'{show.lab.name}-zones'
        raise LabError(
            f'lab {show.lab.name} is not the first of several zones; begin '
            f'with: nova-ext lab up --name {first} --zones 3'
        )
    show.print('\nA zone knows what it and all zones below it can do.')
    show.run(*_ZONE, 'info')
    show.run(*_ZONE, 'list')
    show.print(
        '\nWhere would servers be? Each zone says what they cost there; '
        'nothing is created.'
    )
    show.expect(
        'dry run', f'{_COUNT} of {_COUNT} servers would find room',
        show.run(*_CREATE, '--dry-run', _NAME).partition('\n')[0],
    )
    show.print('\nNow they are created, each in the zone that was planned.')
    try:
        show.expect(
            'create', f'{_NAME}: active: {_COUNT} of {_COUNT} servers are '
            'ACTIVE', show.run(*_CREATE, '--wait', _NAME).partition('\n')[0],
        )
        show.run(*_PLAN, 'show', _NAME)
    finally:
        _delete(show)


def _delete(show: Show) -> None:
    show.print('\nWith the build all of its servers are deleted.')
    for build in show.cloud.get('scheduler', '/v1/builds')['builds']:
        if build['name'] == _NAME and build['state'] != 'deleted':
            show.run(*_PLAN, 'delete', build['id'])
            show.expect('delete', f'{_NAME}: deleted', show.run(
                *_PLAN, 'show', '--wait', '-c', 'Number', '-c', 'State',
                build['id'],
            ).partition('\n')[0])
