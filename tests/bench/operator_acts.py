"""Boot servers right after an operator acted on the host that they ask for.

A lab has ``mirror = on`` and default settings otherwise. Each act is on
another host, and a server that asks for this host is booted at once. Printed
is how many servers came to a host that is not for them any more::

    python -m tests.bench.operator_acts
    python -m tests.bench.operator_acts --rounds 1 --broker rabbit disabled
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from keystoneauth1 import exceptions

from nova_ext.lab.services import servers
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state import lab_state, paths
from tests.truth.ask import find_image
from tests.truth.stage import Stage

NAME = 'acts'
HOSTS = 25
#: How often each act is done to each host.
ROUNDS = 4
#: Seconds in which a server is built on a busy machine.
PATIENCE_S = 600
#: Hosts on which nobody acts: there the servers have to come.
CONTROLS = 3
SETTINGS = {
    'nova_ext.mirror': 'on',
    # The default of 50 takes 50 servers to reach.
    'filter_scheduler.max_instances_per_host': '1',
    'filter_scheduler.enabled_filters': ','.join((
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'NumInstancesFilter', 'AggregateMultiTenancyIsolation',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
        'SpecifiedHostFilter',
    )),
}
TRAIT = 'CUSTOM_FAST'


class Act:
    """Do something to a host after which a server may not come to it.

    :ivar body: what the servers ask for beside the host.
    """

    def __init__(self, stage, hosts):
        """Prepare all hosts for the servers."""
        self.stage, self.hosts, self.body = stage, hosts, {}
        self.cloud = stage.cloud
        self.services = {
            service['host']: service['id'] for service in stage.cloud.get(
                'compute', '/os-services?binary=nova-compute'
            )['services']
        }
        self.prepare()

    def prepare(self):
        """Do nothing to the hosts before."""

    def act(self, host):
        """Act; nova-api has answered when it returns."""
        raise NotImplementedError

    def undo(self):
        """Make all hosts as they were."""
        self.stage.close()

    def make_aggregate(self, **metadata):
        """Return the path of an aggregate that is removed at the end."""
        aggregate = self.stage.post(
            '/os-aggregates', {'aggregate': {'name': 'some'}}
        ).json()['aggregate']['id']
        path = f'/os-aggregates/{aggregate}'
        self.stage.undo.callback(self.cloud.compute.delete, path)
        self.stage.post(
            f'{path}/action', {'set_metadata': {'metadata': metadata}}
        )
        return path

    def change(self, path, action, host):
        """Add a host to an aggregate, or remove it."""
        self.stage.post(f'{path}/action', {action: {'host': host}})

    def update(self, host, **body):
        """Change the nova-compute service of a host."""
        self.cloud.compute.put(
            f'/os-services/{self.services[host]}', json=body
        )


class Disabled(Act):
    """Disable the service."""

    def act(self, host):
        """Do it."""
        self.update(host, status='disabled')


class ForcedDown(Act):
    """Force the service down."""

    def act(self, host):
        """Do it."""
        self.update(host, forced_down=True)


class Reserved(Act):
    """Reserve the host for another project."""

    def prepare(self):
        """Make the aggregate."""
        self.aggregate = self.make_aggregate(filter_tenant_id='another')

    def act(self, host):
        """Do it."""
        self.change(self.aggregate, 'add_host', host)
        self.stage.undo.callback(
            self.change, self.aggregate, 'remove_host', host
        )


class ZoneLeft(Act):
    """Take the host out of the zone that is asked for."""

    def prepare(self):
        """Have all hosts in the zone."""
        self.aggregate = self.make_aggregate(availability_zone='west')
        self.left = set()
        for host in self.hosts:
            self.change(self.aggregate, 'add_host', host)
            self.stage.undo.callback(self.leave, host)
        self.body = {'availability_zone': 'west'}

    def act(self, host):
        """Do it."""
        self.leave(host)

    def leave(self, host):
        """Remove a host that is still there."""
        if host not in self.left:
            self.left.add(host)
            self.change(self.aggregate, 'remove_host', host)


class TraitLost(Act):
    """Take a trait from the host that the flavor requires."""

    def prepare(self):
        """Give it to all hosts."""
        self.cloud.placement.put(f'/traits/{TRAIT}')
        for host in self.hosts:
            self.set_trait(host, present=True)
            self.stage.undo.callback(self.set_trait, host, present=False)
        self.body = {'flavorRef': create_flavor(
            self.stage, {f'trait:{TRAIT}': 'required'}
        )}

    def act(self, host):
        """Do it."""
        self.set_trait(host, present=False)

    def set_trait(self, host, *, present):
        """Let the host have the trait or not."""
        path = f'/resource_providers/{self.stage.providers[host]}/traits'
        has = self.cloud.get('placement', path)
        traits = set(has['traits']) - {TRAIT}
        self.cloud.placement.put(path, json={
            **has, 'traits': sorted(traits | ({TRAIT} if present else set())),
        })


class Filled(Act):
    """Have as many servers on the host as it may have."""

    def act(self, host):
        """Boot a server there that asks no filter, and wait for it."""
        shown = wait_for_server(self.stage, boot(
            self.stage, {'availability_zone': f'nova:{host}'}
        ))
        if shown['OS-EXT-SRV-ATTR:host'] != host:
            raise RuntimeError(f'{host} was not filled: {shown["fault"]}')


ACTS = {
    'disabled': Disabled, 'forced down': ForcedDown, 'reserved': Reserved,
    'zone left': ZoneLeft, 'trait lost': TraitLost, 'filled': Filled,
}


def create_flavor(stage, extra=None):
    """Return the id of a small flavor that is deleted at the end."""
    flavor = stage.post('/flavors', {'flavor': {
        'name': f'small-{time.monotonic_ns()}', 'vcpus': 1, 'ram': 64,
        'disk': 0,
    }}).json()['flavor']['id']
    stage.undo.callback(stage.cloud.compute.delete, f'/flavors/{flavor}')
    if extra:
        stage.post(f'/flavors/{flavor}/os-extra_specs', {'extra_specs': extra})
    return flavor


def boot(stage, body, host=''):
    """Ask for a server, and for a host by its hint; return the server's id."""
    return stage.post('/servers', {
        'server': {
            'name': 's', 'networks': 'none',
            'imageRef': find_image(stage, servers.IMAGE),
            'flavorRef': stage.flavor, **body,
        },
        'os:scheduler_hints': {'requested_host': host} if host else {},
    }).json()['server']['id']


def wait_for_server(stage, server):
    """Return a server that is ACTIVE or in ERROR."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        shown = stage.show(server)
        if shown['status'] in ('ACTIVE', 'ERROR'):
            return shown
        if time.monotonic() > deadline:
            raise TimeoutError(f'{server} is still {shown["status"]}')
        time.sleep(0.05)


def count_arrived(stage, asked):
    """Return how many servers came to the host that they had asked for.

    :param asked: hosts, by server.
    """
    return sum(
        wait_for_server(stage, server)['OS-EXT-SRV-ATTR:host'] == host
        for server, host in asked.items()
    )


def count_decided(stage):
    """Return how many requests mirrors have decided."""
    def find():
        with contextlib.suppress(exceptions.GatewayTimeout):
            return stage.cloud.get('scheduler', '/v1/mirrors')['mirrors']

    mirrors = stage.wait_until(find, 'mirrors listed')
    return sum(mirror['decided'] for mirror in mirrors)


def run(cloud, cls, hosts):
    """Act on all hosts but the controls, and boot at once.

    :returns: how many servers came there, of the controls, and how many of
        those the mirror decided.
    """
    stage = Stage(cloud)
    stage.flavor = create_flavor(stage)
    act = cls(stage, hosts)
    stage.wait_for_mirror()
    targets, controls = hosts[:-CONTROLS], hosts[-CONTROLS:]
    decided = count_decided(stage)
    right = count_arrived(stage, {
        boot(stage, act.body, host): host for host in controls
    })
    decided = count_decided(stage) - decided
    asked = {}
    for host in targets:
        act.act(host)
        asked[boot(stage, act.body, host)] = host
    wrong = count_arrived(stage, asked)
    act.undo()
    return wrong, right, decided


def command(*words):
    """Run a command of labs."""
    subprocess.run(
        [str(Path(sys.prefix) / 'bin' / 'nova-ext'), 'lab', *words],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )


def main(words):
    """Run them, each kind after the other.

    :returns: the exit status.
    """
    parser = argparse.ArgumentParser('tests.bench.operator_acts')
    parser.add_argument('--hosts', type=int, default=HOSTS)
    parser.add_argument('--rounds', type=int, default=ROUNDS)
    parser.add_argument('--broker', choices=('none', 'rabbit'), default='none')
    parser.add_argument('acts', nargs='*', help=f'of {", ".join(ACTS)}')
    options = parser.parse_args(words)
    status = 0
    with tempfile.TemporaryDirectory(prefix='nova-ext-acts-') as home:
        os.environ['NOVA_EXT_LAB_HOME'] = home
        try:
            command(
                'up', '--name', NAME, '--broker', options.broker,
                '--computes', str(options.hosts + CONTROLS),
                *(word for option, value in SETTINGS.items()
                  for word in ('--set', f'{option}={value}')),
            )
            state = lab_state.load(paths.find(NAME))
            hosts = [host.name for host in state.hosts]
            for name in options.acts or ACTS:
                counts = [
                    run(LabUser(state), ACTS[name], hosts)
                    for _ in range(options.rounds)
                ]
                wrong, right, decided = map(sum, zip(*counts, strict=True))
                controls = CONTROLS * options.rounds
                print(
                    f'{name}: {wrong} of {options.hosts * options.rounds} '
                    f'came to the host; without the act {right} of '
                    f'{controls}, {decided} of them decided by the mirror',
                    flush=True,
                )
                status |= wrong > 0 or right < controls
        finally:
            command('delete', '--name', NAME)
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
