"""Show which plugin places a server, and why another has no host."""

from nova_ext.lab.demo.show import Show
from nova_ext.lab.services.cloud import build_cloud_entry, write_clouds_yaml
from nova_ext.lab.state.errors import LabError

#: An address of a client, by the prefix of its hosts in IPScheduler's rules.
CLIENTS = {'doc': '10.1.0.5', 'ops': '10.2.0.5', 'dev': '192.0.2.5'}
_DRIVER = 'nova_ext.scheduler_driver'


def run(show: Show) -> None:
    """Boot by a hint, by a wrong hint and from three clients.

    :raises LabError: when the lab lacks a client's hosts.
    """
    hosts = {
        host.name.partition('-')[0]: host.name for host in show.state.hosts
    }
    if not hosts.keys() >= CLIENTS.keys():
        raise LabError(
            'demo needs hosts doc-*, ops-* and dev-*; a lab that "nova-ext '
            'lab up" creates without --computes has them'
        )
    # The demonstration's own address is that of dev, too.
    _boot_by_hint(show, hosts['dev'])
    if show.state.settings.get(_DRIVER) == ['IPScheduler']:
        _boot_for_clients(show)
    else:
        show.print(
            '\nA driver is shown after: nova-ext lab up --name '
            f'{show.lab.name} --set {_DRIVER}=IPScheduler'
        )


def _boot_by_hint(show: Show, host: str) -> None:
    show.print('\nA hint names the host of a new server.')
    hint = f'requested_host={host}'
    show.expect(
        f'--hint {hint}', f'ACTIVE on {host}',
        show.boot('demo-hint', '--hint', hint),
    )
    show.print('\nA host that does not exist: why is there none?')
    hint = 'requested_host=no-such-host'
    show.expect(
        f'--hint {hint}', 'ERROR', show.boot('demo-nowhere', '--hint', hint)
    )
    count = len(show.state.hosts)
    show.expect(
        'nova-ext explain demo-nowhere',
        f'0/{count} hosts: {count} requested_host is no-such-host '
        '(SpecifiedHostFilter)',
        show.run(
            'nova-ext', 'explain', 'demo-nowhere', lines=7
        ).partition('\n')[0],
    )


def _boot_for_clients(show: Show) -> None:
    show.print('\nThree clients, three groups of hosts: IPScheduler.')
    nova = show.state.url('nova')
    write_clouds_yaml(show.lab, show.state, {
        f'from-{prefix}': {
            **build_cloud_entry(show.state, 'admin'),
            'compute_endpoint_override': f'{nova}/client/{address}/v2.1',
        } for prefix, address in CLIENTS.items()
    })
    for prefix, address in CLIENTS.items():
        show.expect(
            f'client {address}', f'ACTIVE on {prefix}-',
            show.boot(f'demo-{prefix}', cloud=f'from-{prefix}'),
        )
