"""Change from nova-ext's scheduler to Nova's own and back."""

import concurrent.futures
import contextlib
import itertools
import threading

from nova_ext.lab.state import paths
from tests.lab import base

#: Takes nova-ext out, its lines of nova.conf included, and puts it back.
TO_STOCK = (
    '--stock', '--set', 'filter_scheduler.enabled_filters=ComputeFilter',
    '--set',
    'filter_scheduler.available_filters=nova.scheduler.filters.all_filters',
)
TO_OURS = (
    '--no-stock', '--unset', 'filter_scheduler.enabled_filters',
    '--unset', 'filter_scheduler.available_filters',
)
HOSTS = ('one', 'two', 'three')

_CLIENTS = 2
_BOOTS_A_PHASE = 12
_DEADLINE_S = 180


class SideBySideTest(base.RabbitTestCase):
    """Boot servers all the time, half of them with our hint."""

    up = ('--broker', 'rabbit', '--schedulers', '2', '--computes', *HOSTS)

    @contextlib.contextmanager
    def boots(self):
        """Boot servers without a pause.

        :returns: those that have ended, as a list that grows.
        """
        stop, numbers, ended = threading.Event(), itertools.count(), []

        def boot():
            while not stop.is_set():
                number = next(numbers)
                hint = {'requested_host': HOSTS[number % 3]}
                server = self.boot(f'n-{number}', hint if number % 2 else None)
                ended.append(server)
                self.cloud().compute.delete(f'/servers/{server["id"]}')

        with concurrent.futures.ThreadPoolExecutor(_CLIENTS) as pool:
            clients = [pool.submit(boot) for _ in range(_CLIENTS)]
            try:
                yield ended
            finally:
                stop.set()
            for client in clients:
                client.result()

    def taken(self, scheduler):
        """Count the requests that a scheduler has taken, by its log."""
        log = paths.find('default').log(scheduler).read_text()
        return log.count('Starting to schedule for instances')

    def test_schedulers_change(self):
        """To both kinds, to stock, and back: no boot fails."""
        names = ('scheduler-1', 'scheduler-2')
        with self.boots() as ended:
            for words in (
                ('--stock-schedulers', '1'), ('--stock',),
                ('--stock-schedulers', '1'), ('--no-stock',),
            ):
                self.lab('up', *words)
                enough = len(ended) + _BOOTS_A_PHASE
                before = {name: self.taken(name) for name in names}
                self.wait_until(
                    lambda enough=enough, before=before:
                    len(ended) >= enough and all(
                        self.taken(name) > before[name] for name in names
                    ), _DEADLINE_S,
                )
        self.assertEqual({'ACTIVE'}, {one['status'] for one in ended})


class MovesTest(base.RabbitTestCase):
    """Move servers by another scheduler than placed them."""

    up = ('--broker', 'rabbit', '--computes', *HOSTS)

    def test_ours_to_stock(self):
        """Servers booted with our hint, without nova-ext."""
        servers = self.boot_on_one('one')
        self.lab('up', *TO_STOCK)
        self.move(servers)
        self.assert_claims(servers)
        self.lab('up', *TO_OURS)

    def test_stock_to_ours(self):
        """Servers that stock has placed against their hint."""
        self.lab('up', *TO_STOCK)
        self.set_services('disabled', 'two', 'three')
        servers = self.boot_on_one('two')
        self.set_services('enabled', 'two', 'three')
        self.lab('up', *TO_OURS)
        self.move(servers)
        self.assert_claims(servers)

    def boot_on_one(self, hint):
        """Boot four servers on the first host, whatever their hint."""
        made = [
            self.boot(f'to-move-{n}', {'requested_host': hint})
            for n in range(4)
        ]
        self.assertEqual(
            {('ACTIVE', 'one')},
            {(one['status'], one['OS-EXT-SRV-ATTR:host']) for one in made},
        )
        return [one['id'] for one in made]

    def move(self, servers):
        """Migrate, resize, unshelve and evacuate: one server each."""
        migrated, resized, shelved, evacuated = servers
        self.act(migrated, 'VERIFY_RESIZE', migrate=None)
        self.act(migrated, 'ACTIVE', confirmResize=None)
        self.act(resized, 'VERIFY_RESIZE', resize={'flavorRef': '2'})
        self.act(resized, 'ACTIVE', confirmResize=None)
        self.act(shelved, 'SHELVED_OFFLOADED', shelve=None)
        # Nova forgets its host only after it has set the state.
        self.wait_until(
            lambda: not self.server(shelved)['OS-EXT-SRV-ATTR:host']
        )
        self.set_services({'forced_down': True}, 'one')
        self.act(shelved, 'ACTIVE', unshelve=None)
        # Stopped, since microversion 2.95.
        self.act(evacuated, 'SHUTOFF', evacuate={})
        # Nova sets the host of one that is evacuated after its state.
        for server in servers:
            self.wait_until(
                lambda server=server:
                self.server(server)['OS-EXT-SRV-ATTR:host'] != 'one'
            )
        # With its start a compute ends the evacuations from its host.
        self.lab('restart', 'compute')
        self.set_services({'forced_down': False}, 'one')

    def act(self, server, status, **action):
        """Do something to a server, and wait for what comes of it."""
        self.cloud().compute.post(f'/servers/{server}/action', json=action)

        def done():
            now = self.server(server)
            return (now['status'], now['OS-EXT-STS:task_state']) == (
                status, None
            )

        self.wait_until(done, _DEADLINE_S)

    def server(self, server):
        """Return a server as Nova shows it."""
        return self.cloud().get('compute', f'/servers/{server}')['server']

    def set_services(self, change, *hosts):
        """Change the compute services of hosts."""
        if isinstance(change, str):
            change = {'status': change}
        compute = self.cloud().compute
        body = compute.get('/os-services?binary=nova-compute').json()
        for service in body['services']:
            if service['host'] in hosts:
                compute.put(f'/os-services/{service["id"]}', json=change)

    def assert_claims(self, servers):
        """Check that each server has a claim on its own host, and no other."""
        cloud = self.cloud()
        body = cloud.get('placement', '/resource_providers')
        names = {
            one['uuid']: one['name'] for one in body['resource_providers']
        }
        for server in servers:
            claims = cloud.get('placement', f'/allocations/{server}')
            self.assertEqual(
                [self.server(server)['OS-EXT-SRV-ATTR:host']],
                [names[one] for one in claims['allocations']],
            )
