"""Simulated moves of servers, each compared with the move that follows it."""

import testtools
from nova import objects
from nova.compute import api as compute_api
from nova.compute import vm_states
from nova.network import model
from nova.tests.functional.api import client as api_client

from nova_ext import client
from nova_ext.scheduler.what_if.moves import api_rules, refusals
from tests.functional_rpc import what_if


class MovesTestCase(what_if.WhatIfTestCase):
    """Hosts of different sizes, so that one of them is best."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')
    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def simulate_move(self, server, operation, **asked):
        """Say where the server would go."""
        return self.program.simulate_move(self.me, client.MoveRequest(
            server['id'], operation, **asked
        ))

    def assert_same(self, simulated, server):
        """The newest decision on the server is what the simulation said."""
        real = self.decision_of(server)
        said = simulated.decision
        self.assertTrue(said.simulated)
        for name in ('outcome', 'operation', 'chosen'):
            self.assertEqual(getattr(real, name), getattr(said, name), name)
        self.assertEqual(
            [_list_rejections(each) for each in real.attempts],
            [_list_rejections(each) for each in said.attempts],
        )

    def decision_of(self, server):
        """The newest decision on a server."""
        return [
            each for each in self.decisions() if server['id'] in each.servers
        ][-1]

    def assert_refused(self, words, server, operation, **asked):
        """No scheduler would be asked."""
        error = self.assertRaises(
            client.MoveRefusedError, self.simulate_move, server, operation,
            **asked,
        )
        self.assertIn(words, str(error))


def _list_rejections(attempt):
    """Who rejected which hosts, and what is left in which order."""
    return [
        (step.name, sorted(host for each in step.rejections
                           for host in each.hosts))
        for step in attempt.steps if step.rejections
    ], attempt.ranked


class MovesTest(MovesTestCase):
    """Each operation, with Nova deciding."""

    def test_migrate_and_resize(self):
        """Cold, to any host and to a named one; to a larger flavor."""
        server = self.boot({'requested_host': 'cmp-1'})
        self.boot({'requested_host': 'cmp-2'})
        simulated = self.simulate_move(server, client.Move.MIGRATE)
        before = self.all_rows()
        self.assertEqual(
            simulated.decision.chosen,
            self.simulate_move(server, client.Move.MIGRATE).decision.chosen,
        )
        self.assertEqual(before, self.all_rows())
        self._migrate_server(server)
        self._confirm_resize(server)
        self.assert_same(simulated, server)
        self.assertNotIn(self.host_of(server), ('cmp-1', 'cmp-2'))

        simulated = self.simulate_move(
            server, client.Move.MIGRATE, host='cmp-2'
        )
        self._migrate_server(server, host='cmp-2')
        self._confirm_resize(server)
        self.assert_same(simulated, server)
        self.assert_refused(
            'the server is on cmp-2', server, client.Move.MIGRATE,
            host='cmp-2',
        )

        larger = self.create_flavor(self.flavor(vcpus=2, memory_mb=1024))
        simulated = self.simulate_move(
            server, client.Move.RESIZE, flavor=larger
        )
        self._resize_server(server, larger)
        self.assert_same(simulated, server)
        self.assert_refused(
            'the server is resized', server, client.Move.MIGRATE
        )
        self._confirm_resize(server)
        self.assert_refused(
            f'the server has flavor {larger}', server, client.Move.RESIZE,
            flavor=larger,
        )

    def test_live_migrate(self):
        """In a group, whose other members count and which itself does not."""
        group = self.create_group('anti-affinity')
        first, second = (self.boot({'group': group}) for _ in range(2))
        simulated = self.simulate_move(first, client.Move.LIVE_MIGRATE)
        self._live_migrate(first)
        self.assert_same(simulated, first)
        self.assertNotEqual(self.host_of(first), self.host_of(second))
        named = self.host_of(second)
        simulated = self.simulate_move(
            first, client.Move.LIVE_MIGRATE, host=named
        )
        self.assertEqual('no valid host', simulated.decision.outcome)
        self.assertIn(
            'what nova-compute checks before a live migration',
            ' '.join(simulated.notes),
        )

    def test_older_hypervisor(self):
        """nova-conductor refuses a host; the next one is said."""
        server = self.boot({'requested_host': 'cmp-1'})
        self.set_hypervisor_version('cmp-1', 2000)
        self.set_hypervisor_version('cmp-3', 3000)
        simulated = self.simulate_move(server, client.Move.LIVE_MIGRATE)
        self.assertEqual(
            {server['id']: ['cmp-3']}, simulated.decision.chosen
        )
        self._live_migrate(server)
        self.assertEqual('cmp-3', self.host_of(server))
        self.assert_same(simulated, server)

    def test_evacuate(self):
        """Told while the host is up; from a host that is down."""
        server = self.boot({'requested_host': 'cmp-1'})
        simulated = self.simulate_move(server, client.Move.EVACUATE)
        self.assertIn('on cmp-1 it is up', ' '.join(simulated.notes))
        self.take_down('cmp-1')
        again = self.simulate_move(server, client.Move.EVACUATE)
        self.assertEqual(simulated.decision.chosen, again.decision.chosen)
        self.assertNotIn('cmp-1', ' '.join(again.notes))
        self.assert_refused(
            'nova-compute on cmp-1 is down', server, client.Move.MIGRATE
        )
        self.assert_refused(
            'the server is on cmp-1', server, client.Move.EVACUATE,
            host='cmp-1',
        )
        error = self.assertRaises(
            api_client.OpenStackApiException, self.act, server, 'evacuate',
            {'host': 'cmp-1'},
        )
        self.assertEqual(400, error.response.status_code)
        self._evacuate_server(server, expected_state='ACTIVE')
        self.assert_same(again, server)

    def test_shelved(self):
        """Unshelved to any host; what is not offloaded asks nobody."""
        server = self.boot(
            {'requested_host': 'cmp-2'}, availability_zone='nova'
        )
        self.assert_refused(
            'the server is active', server, client.Move.UNSHELVE
        )
        self._shelve_server(server)
        self.assert_other_zone(server)
        simulated = self.simulate_move(server, client.Move.UNSHELVE)
        self._unshelve_server(server)
        self.assert_same(simulated, server)

    def assert_other_zone(self, server):
        """nova-api refuses a host in another zone, and so is it said."""
        aggregate = self.admin_api.post_aggregate({'aggregate': {
            'name': 'east', 'availability_zone': 'east',
        }})
        self.add_to_aggregate(aggregate['id'], 'cmp-3')
        self.assert_refused(
            'cmp-3 is in availability zone east, and the server asks for nova',
            server, client.Move.UNSHELVE, host='cmp-3',
        )
        api = self.client()
        api.microversion = '2.91'
        error = self.assertRaises(
            api_client.OpenStackApiException, self.act, server, 'unshelve',
            {'host': 'cmp-3'}, api,
        )
        self.assertEqual(409, error.response.status_code)

    def test_rebuild(self):
        """With another image the scheduler is asked whether it may stay."""
        server = self.boot({'requested_host': 'cmp-2'})
        self.assert_refused(
            'stays on cmp-2', server, client.Move.REBUILD, image=self.image()
        )
        other = {
            name: self.glance.show(None, self.other_image(server))[name]
            for name in self.image()
        }
        simulated = self.simulate_move(
            server, client.Move.REBUILD, image=other
        )
        self._rebuild_server(server, other['id'])
        self.assertEqual('rebuild', simulated.decision.operation)
        self.assert_same(simulated, server)

    def test_refused_devices(self):
        """What nova-api refuses of flavors is refused as it does."""
        server = self.boot()
        for words, flavor in (
            ('has no root disk', self.flavor(root_gb=0)),
            ('has accel:device_profile', self.flavor(
                extra_specs={'accel:device_profile': 'x'}
            )),
        ):
            flavor = self.create_flavor(flavor)
            self.assert_refused(
                words, server, client.Move.RESIZE, flavor=flavor
            )
            error = self.assertRaises(
                api_client.OpenStackApiException,
                self.api.post_server_action, server['id'],
                {'resize': {'flavorRef': flavor}},
            )
            self.assertIn(error.response.status_code, (400, 403))

    def test_wrong(self):
        """One line says what is wrong."""
        server = self.boot()
        for words, asked in (
            ('no compute host cmp-9', {'host': 'cmp-9'}),
            ('takes no flavor', {'flavor': '1'}),
        ):
            error = self.assertRaises(
                client.WrongArgumentsError, self.simulate_move, server,
                client.Move.MIGRATE, **asked,
            )
            self.assertIn(words, str(error))
        missing = {'id': '00000000-0000-4000-8000-000000000000'}
        error = self.assertRaises(
            client.WrongArgumentsError, self.simulate_move, missing,
            client.Move.MIGRATE,
        )
        self.assertIn(f'no server {missing["id"]}', str(error))

    def create_group(self, policy):
        """A server group's UUID."""
        return self.api.post_server_groups(
            {'name': policy, 'policy': policy}
        )['id']

    def set_hypervisor_version(self, host, version):
        """Have a compute node report another version from now on."""
        driver = self.computes[host].manager.driver
        real = driver.get_available_resource

        def get_available_resource(nodename):
            return {**real(nodename), 'hypervisor_version': version}

        driver.get_available_resource = get_available_resource
        self._run_periodics()


class ApiRulesTest(testtools.TestCase):
    """The table is that of the installed Nova."""

    def test_states(self):
        """As the decorators of nova-api's methods check them."""
        methods = {
            client.Move.MIGRATE: 'resize', client.Move.RESIZE: 'resize',
            client.Move.LIVE_MIGRATE: 'live_migrate',
            client.Move.EVACUATE: 'evacuate',
            client.Move.UNSHELVE: 'unshelve', client.Move.REBUILD: 'rebuild',
        }
        for operation, name in methods.items():
            self.assertEqual(
                set(api_rules.VM_STATES[operation]),
                _read_states(getattr(compute_api.API, name)), operation,
            )


class DevicesTest(testtools.TestCase):
    """Devices for which nova-api refuses an operation, by its own checks."""

    def server(self, extra_specs=None, vnic_type=None, image=None):
        """Return an Instance."""
        ports = [{'id': 'p', 'vnic_type': vnic_type}] if vnic_type else []
        metadata = {
            f'image_{name}': value
            for name, value in (image or {}).items()
        }
        return objects.Instance(
            uuid='11111111-2222-4333-8444-555555555555',
            system_metadata=metadata,
            vm_state=vm_states.ACTIVE, image_ref='',
            flavor=objects.Flavor(
                flavorid='1', name='m', extra_specs=extra_specs or {},
                root_gb=1,
            ),
            info_cache=objects.InstanceInfoCache(
                network_info=model.NetworkInfo.hydrate(ports)
            ),
        )

    def list_refused(self, has_share=False, **fields):
        """Return the operations that are refused."""
        refused = set()
        for operation in client.Move:
            try:
                refusals.check_devices(
                    operation, self.server(**fields), has_share=has_share
                )
            except client.MoveRefusedError:
                refused.add(operation)
        return refused

    def test_refused(self):
        """Each as the release's decorators have it."""
        move = client.Move
        self.assertEqual(set(), self.list_refused())
        vtpm = {'hw:tpm_version': '2.0', 'hw:tpm_model': 'tpm-crb'}
        self.assertEqual(
            {move.EVACUATE, move.REBUILD, move.LIVE_MIGRATE},
            self.list_refused(extra_specs=vtpm),
        )
        by_host = self.list_refused(extra_specs={
            **vtpm, 'hw:tpm_secret_security': 'host'
        })
        self.assertEqual({move.EVACUATE, move.REBUILD}, by_host - {
            # Nova 31 knows no such servers.
            move.LIVE_MIGRATE
        })
        self.assertEqual(
            {move.MIGRATE, move.RESIZE, move.LIVE_MIGRATE},
            self.list_refused(extra_specs={'accel:device_profile': 'x'}),
        )
        self.assertEqual(
            {move.LIVE_MIGRATE},
            self.list_refused(extra_specs={
                'hw:mem_encryption': 'true', 'hw:machine_type': 'q35',
            }, image={'hw_firmware_type': 'uefi'}),
        )
        self.assertEqual(
            {move.MIGRATE, move.RESIZE, move.LIVE_MIGRATE, move.EVACUATE},
            self.list_refused(vnic_type='accelerator-direct'),
        )
        shared = self.list_refused(has_share=True)
        self.assertEqual(
            {move.LIVE_MIGRATE, move.EVACUATE, move.REBUILD},
            # Nova 34 migrates them.
            shared - {move.MIGRATE, move.RESIZE},
        )


def _read_states(method):
    """The states out of the closures of a method's decorators."""
    while method is not None:
        names = dict(zip(
            method.__code__.co_freevars,
            (cell.cell_contents for cell in method.__closure__ or ()),
            strict=True,
        ))
        if 'vm_state' in names:
            return set(names['vm_state'])
        method = getattr(method, '__wrapped__', None)
    return set()


