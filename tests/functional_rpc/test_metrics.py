"""Metrics of a cloud, compared with what happens in it."""

from types import SimpleNamespace

from nova_ext import client
from nova_ext.metrics import capacity, losses
from tests.functional_rpc import test_rehearsal


class Bridge:
    """Answer as nova-ext-api does, and as openstacksdk."""

    def __init__(self, test, flavors):
        self.test = test
        self.connection = SimpleNamespace(compute=SimpleNamespace(
            services=lambda binary: [
                SimpleNamespace(host=host) for host in test.hosts
            ],
            flavors=lambda details, is_public: flavors,
        ))

    def post(self, path, body):
        """Ask the scheduler."""
        program, me = self.test.program, self.test.me
        if path == '/v1/rehearsals':
            return {'rehearsal': program.rehearse(
                me, client.RehearsalRequest.from_dict(body['rehearsal'])
            ).to_dict()}
        if path == '/v1/losses':
            return {'losses': program.rehearse_losses(
                me, client.LossesRequest.from_dict(body['losses'])
            ).to_dict()}
        room = program.capacity(
            me, client.BootRequest.from_dict(body['request']),
            is_empty=body.get('is_empty', False), diagnose=body['diagnose'],
        )
        return {'capacity': {**room.to_dict(), 'decision': None}}


class NPlusOneTest(test_rehearsal.RehearsalTestCase):
    """Three hosts with four processors each."""

    def setUp(self):
        """Ask about two flavors."""
        super().setUp()
        self.cloud = Bridge(self, [
            SimpleNamespace(
                name=name, id=name, vcpus=vcpus, ram=128 * vcpus, disk=0,
                ephemeral=0, swap=0, extra_specs={}, is_public=True,
            ) for name, vcpus in (('small', 1), ('large', 2))
        ])

    def count_not_back(self):
        """Return how many servers the loss of the worst host would cost."""
        return next(
            sample.value for sample in losses.ask_hosts(self.cloud)
            if sample.labels == ('host', 'no_host')
        )

    def count_fitting(self, *, is_empty=False):
        """Return how many servers of each flavor fit."""
        return {
            fit.flavor.name: fit.total for fit in capacity.ask_each(
                self.cloud, capacity.list_flavors(self.cloud, ())[0],
                is_empty=is_empty,
            )
        }

    def evacuate_all(self, host):
        """Lose a host for real; return how many servers stay behind."""
        servers = [
            server for server in self.api.get_servers()
            if server['OS-EXT-SRV-ATTR:host'] == host
        ]
        self.take_down(host)
        for server in servers:
            self.api.post_server_action(server['id'], {'evacuate': {}})
            self.wait_for(
                lambda server=server: self.has_moved(server['id'], host),
                'the server is elsewhere, or can\'t be',
            )
        return sum(self.host_of(each) == host for each in servers)

    def has_moved(self, server, host):
        """Say whether a server left a host, or failed to."""
        shown = self.api.get_server(server)
        return shown['status'] == 'ERROR' or (
            shown['OS-EXT-SRV-ATTR:host'] != host
            and shown['OS-EXT-STS:task_state'] is None
        )

    def fill(self, count):
        """Boot servers of one processor, on all hosts alike."""
        for number in range(count):
            self.boot_on(self.hosts[number % 3], self.small)

    def test_none_left(self):
        """A full host fits into what the others have free."""
        self.fill(8)
        self.assertEqual(0, self.count_not_back())
        self.assertEqual({'small': 4, 'large': 1}, self.count_fitting())
        self.assertEqual(
            {'small': 12, 'large': 6}, self.count_fitting(is_empty=True)
        )
        self.assertEqual(0, self.evacuate_all('cmp-1'))

    def test_one_left(self):
        """One more, and the metric says so before it is too late."""
        self.fill(8)
        self.assertEqual(0, self.count_not_back())
        self.boot_on('cmp-3', self.small)
        self.assertEqual(1, self.count_not_back())
        self.assertEqual(1, self.evacuate_all('cmp-1'))
