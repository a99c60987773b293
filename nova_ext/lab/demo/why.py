"""Show with Nova's own scheduler why a boot fails, and what would pass."""

from nova_ext.lab.demo.show import Show
from nova_ext.lab.services import servers
from nova_ext.lab.state import lock
from nova_ext.lab.state.errors import LabError

_SERVICE = ('openstack', 'compute', 'service', 'set')
_FAILED, _SMALLER = 'why-down', 'why-up'


def run(show: Show) -> None:
    """Ask for a host that is down, explain, and ask for another.

    :raises LabError: when the lab has another scheduler, or one host alone.
    """
    name, hosts = show.lab.name, [host.name for host in show.state.hosts]
    if not show.state.stock or len(hosts) < 2:
        raise LabError(
            f'lab {name} does not run Nova\'s own scheduler for several '
            f'hosts: nova-ext lab up --name {name}-why --stock'
        )
    try:
        _show(show, hosts[0], hosts[1], len(hosts))
    finally:
        # Closing a terminal sends several signals.
        with lock.ignore_signals():
            show.run(*_SERVICE, '--up', hosts[0], 'nova-compute')
            for server in _FAILED, _SMALLER:
                servers.remove(show.cloud, server)


def _show(show: Show, down: str, up: str, count: int) -> None:
    show.print('\nA server is to go to a host that is down.')
    show.run(*_SERVICE, '--down', down, 'nova-compute')
    hint = f'requested_host={down}'
    show.expect(
        f'--hint {hint}', 'ERROR', show.boot(_FAILED, '--hint', hint)
    )
    show.expect(
        'nova-ext explain',
        f'0/{count} hosts: 1 down as forced_down is set (ComputeFilter), '
        f'{count - 1} requested_host is {down} (SpecifiedHostFilter)',
        show.run('nova-ext', 'explain', _FAILED, lines=9).partition('\n')[0],
    )
    show.print('\nWhat would pass? Nothing is booted for the answer.')
    hint = f'requested_host={up}'
    show.expect(
        'nova-ext simulate', f'{up} chosen from 1 of {count} hosts',
        show.run(
            'nova-ext', 'simulate', '--flavor', '1', '--image', 'cirros',
            '--nic', 'none', '--hint', hint, '--config-file',
            str(show.lab.configuration('nova') / 'nova.conf'),
        ).partition('\n')[0],
    )
    show.expect(
        f'--hint {hint}', f'ACTIVE on {up}',
        show.boot(_SMALLER, '--hint', hint),
    )
