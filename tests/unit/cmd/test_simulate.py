"""Run nova-ext simulate, up to the request that it decides."""

from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.move_request import MoveRequest, SimulatedMove
from nova_ext.scheduler.what_if.simulate import offline_simulation
from tests.unit.cmd import base, fake_cloud
from tests.unit.core.explanation import test_explain


class SimulateTest(base.CommandTestCase):
    """Take flavor and image from a cloud; fake the decision."""

    def setUp(self):
        """Set up a cloud with one flavor and one image."""
        super().setUp()
        cloud = self.useFixture(fake_cloud.CloudFixture())
        self.flavor = flavor = {
            'id': '1', 'name': 'small', 'ram': 512, 'vcpus': 2, 'disk': 3,
            'swap': '', 'extra_specs': {'a:b': 'c'},
            'OS-FLV-EXT-DATA:ephemeral': 4,
        }
        for name in ('small', '1'):
            cloud.get(
                f'{fake_cloud.COMPUTE}/flavors/{name}',
                json={'flavor': flavor},
            )
        cloud.get(f'{fake_cloud.COMPUTE}/flavors/none', status_code=404)
        cloud.get(
            f'{fake_cloud.COMPUTE}/flavors/detail', json={'flavors': []}
        )
        self.asked = []

    def simulate(self, *words):
        """Run the command, and keep its request."""
        def answer(files, folders, caller, request, changes, ranked_hosts):
            self.asked = [files, caller, request, changes]
            return test_explain.decide(simulated=True, hosts_total=3)

        self.patch(offline_simulation, 'simulate', answer)
        return self.run_command('simulate', *words)

    def test_asked(self):
        """Take the options of server create, the ignored ones, too."""
        status, out, err = self.simulate(
            '--flavor', 'small', '--boot-from-volume', '9', '--nic', 'none',
            '--availability-zone', 'z:h', '--hint', 'a=1', '--hint', 'a=2',
            '--hint', 'b=c=d', '--max', '2', '--wait', '--try-filter', 'F',
            '--config-file', '/f', '--min', '1', '--no-network', '--tag', 't',
            '--config-drive', 'True', '--delete-on-termination', 'name',
        )
        self.assertEqual((0, ''), (status, err))
        self.assertIn('simulated: nothing was claimed', out)
        files, caller, request, changes = self.asked
        self.assertEqual(['/f'], files)
        self.assertEqual('u', caller['user_id'])
        self.assertEqual(Changes(['F']), changes)
        self.assertEqual(BootRequest.from_dict({
            'flavor': {
                'vcpus': 2, 'memory_mb': 512, 'root_gb': 3,
                'ephemeral_gb': 4, 'swap': 0, 'name': 'small',
                'flavorid': '1', 'extra_specs': {'a:b': 'c'},
            }, 'boot_from_volume': True, 'availability_zone': 'z:h',
            'hints': {'a': ['1', '2'], 'b': 'c=d'}, 'count': 2,
            'user_id': 'u', 'project_id': 'demo',
        }), request)

    def test_move(self):
        """Take a server that exists in place of a flavor."""
        server = '11111111-2222-3333-4444-555555555555'

        def answer(files, folders, request, changes, ranked_hosts):
            self.asked = [files, request, changes]
            return SimulatedMove(
                test_explain.decide(simulated=True, hosts_total=3), ['unseen']
            )

        self.patch(offline_simulation, 'simulate_move', answer)
        status, out, err = self.run_command(
            'simulate', '--server', server, '--operation', 'resize',
            '--flavor', 'small', '--config-file', '/f',
        )
        self.assertEqual((0, ''), (status, err))
        self.assertIn('unseen', out)
        self.assertEqual(
            [['/f'], MoveRequest(server, 'resize', '1'), Changes()],
            self.asked,
        )
        status, _, err = self.run_command('simulate')
        self.assertNotEqual(0, status)
        self.assertIn('name a flavor with --flavor', err)

    def test_no_extra_specs(self):
        """Note that extra specs could not be read."""
        self.flavor.pop('extra_specs')
        _, out, _ = self.simulate('--flavor', 'small')
        self.assertIn('specs of flavor small could not be read', out)
        self.assertEqual({}, self.asked[2].flavor.extra_specs)

    def test_ports(self):
        """Note that ports were not looked up."""
        said = 'ports and networks were not looked up'
        for words, count in (
            (['--port', 'p'], 1), (['--network', 'n'], 1),
            (['--nic', 'net-id=n'], 1), (['--nic', 'none'], 0),
            (['--nic', 'auto'], 0), ([], 0),
        ):
            _, out, _ = self.simulate('--flavor', 'small', *words)
            self.assertEqual(count, out.count(said), words)

    def test_output(self):
        """Ignore the columns of server create."""
        self.assertEqual((0, 'a_outcome="no valid host"\n', ''), (
            self.simulate('--flavor', 'small', '-f', 'shell', '--prefix',
                          'a_', '-c', 'id', '-c', 'outcome')
        ))
        self.assertEqual(
            self.simulate('--flavor', 'small', '-f', 'value'),
            self.simulate('--flavor', 'small', '-f', 'value', '-c', 'id'),
        )

    def test_errors(self):
        """Fail in one line each."""
        for words, line in (
            (['--flavor', 'none'], 'the cloud can\'t be asked: No Flavor'),
            (['--flavor', 'small', '--hint', 'x'], 'got: x'),
            (['--flavor', 'small', '--max', '101'], 'count is 101'),
        ):
            status, _, err = self.simulate(*words)
            self.assertNotEqual(0, status)
            self.assertIn(line, err)
            self.assertNotIn('Traceback', err)
