"""A replay says of a hundred decisions what fresh boots show.

Each server is booted and deleted, and booted again under another
configuration from the same state; that one stays or goes.
``NOVA_EXT_REPLAY_SEED`` draws the servers.
"""

import contextlib
import os
import random
import sys

from nova import context, objects
from oslo_messaging import opts as messaging_options
from testtools import testcase

from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import journal
from tests.functional import base, test_replay

DECISIONS = int(os.environ.get('NOVA_EXT_REPLAY_DECISIONS') or 100)
SEED = int(os.environ.get('NOVA_EXT_REPLAY_SEED') or 0) or (
    random.SystemRandom().randrange(1, 10**6)
)
_KEY = 'aggregate_instance_extra_specs:ssd'
#: MiB, vCPUs, and whether it asks for an aggregate's key.
_FLAVORS = (
    (512, 1, False), (1024, 2, False), (3072, 1, False), (512, 1, True),
    (2048, 4, True),
)
_MOST_SERVERS = 12
_POOL_SIZE = 'executor_thread_pool_size'


class ChangesTestCase(test_replay.ReplayTestCase):
    """Boots every server under two configurations."""

    hosts = tuple(f'cmp-{number}' for number in range(1, 7))

    def configure(self):
        """Count no work that has ended, as computes do for a while.

        And have few threads.
        """
        super().configure()
        # Each message begins another thread of a pool until it is full, and
        # each wakes up each second: hundreds would take most of the time.
        options.CONF.register_opts([
            option for _, listed in messaging_options.list_opts()
            for option in listed if option.name == _POOL_SIZE
        ])
        self.flags(**{_POOL_SIZE: 8})
        self.same = {'io_ops_weight_multiplier': 0.0}
        self.flags(group='filter_scheduler', **self.same)

    def setUp(self):
        """Make flavors, groups and an aggregate of three hosts."""
        super().setUp()
        print(f'NOVA_EXT_REPLAY_SEED={SEED}', file=sys.stderr)
        self.chance = random.Random(SEED)  # noqa: S311
        self.flavors = [
            self._create_flavor(
                memory_mb=memory_mb, vcpu=vcpus, ephemeral=0,
                extra_spec={_KEY: 'true'} if is_fast else None,
            ) for memory_mb, vcpus, is_fast in _FLAVORS
        ]
        self.groups = [
            self.api.post_server_groups(
                {'name': policy, 'policy': policy}
            )['id'] for policy in ('anti-affinity', 'affinity')
        ]
        self.aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'fast', 'availability_zone': None}}
        )
        for host in self.chance.sample(self.hosts, 3):
            self.add_to_aggregate(self.aggregate['id'], host)
        self.set_key('true')
        self.alive = []

    @contextlib.contextmanager
    def flag(self, **filter_scheduler):
        """Have another configuration for a while."""
        group = options.CONF.filter_scheduler
        before = {name: getattr(group, name) for name in filter_scheduler}
        self.use(**filter_scheduler)
        yield
        self.use(**before)

    def use(self, **filter_scheduler):
        """Set options, as a restart does."""
        self.flags(group='filter_scheduler', **filter_scheduler)
        manager = self.scheduler.host_manager
        manager.enabled_filters = manager._choose_host_filters(
            options.CONF.filter_scheduler.enabled_filters
        )

    @contextlib.contextmanager
    def no_key(self):
        """Have an aggregate without its key for a while."""
        self.set_key(None)
        yield
        self.set_key('true')

    def set_key(self, value):
        """Set the aggregate's key, and wait until the scheduler knows."""
        self.admin_api.post_aggregate_action(
            self.aggregate['id'],
            {'set_metadata': {'metadata': {'ssd': value}}},
        )
        known = self.scheduler.host_manager.aggs_by_id
        self.wait_for(
            lambda: known[self.aggregate['id']].metadata.get('ssd') == value,
            f'ssd is {value}',
        )

    def follow(self, change, *words):
        """Compare a replay with boots under a changed configuration.

        :param change: returns a context in which it is changed.
        :param words: what says the same to the replay.
        """
        wanted = {}
        for _ in range(DECISIONS):
            server = self.draw()
            before = self.read_state()
            request, then = self.try_to_boot(server)
            self.remove(self.alive.pop())
            self.wait_for(
                lambda before=before: self.read_state() == before,
                'the state of before',
            )
            self.assertTrue(journal.get().flush(60))
            self.flags(group='nova_ext', journal=False)
            with change():
                _, now = self.try_to_boot(server)
            self.flags(group='nova_ext', journal=True)
            wanted[request] = (then, now)
            if now is None:
                self.remove(self.alive.pop())
            while len(self.alive) > self.chance.randrange(1, _MOST_SERVERS):
                self.remove(self.alive.pop(
                    self.chance.randrange(len(self.alive))
                ))
        _, document = self.replay(*words)
        self.assert_verified(document, at_least=DECISIONS)
        (configuration,) = document['configurations']
        self.assertEqual({'exact': DECISIONS}, configuration['exactness'])
        self.assertEqual({
            request: hosts for request, hosts in wanted.items()
            if hosts[0] != hosts[1]
        }, {
            changed['request_id']: (changed['before'], changed['after'])
            for changed in configuration['changes']
        })
        print(configuration['transitions'], file=sys.stderr)
        self.assertNotEqual([], configuration['changes'])

    def draw(self):
        """Return a server, its hints among them."""
        server = {'flavorRef': self.chance.choice(self.flavors)}
        if self.chance.random() < 0.3:
            server['hints'] = {'group': self.chance.choice(self.groups)}
        return server

    def try_to_boot(self, server):
        """Boot a server; return its request's ID, and its host or None."""
        body = self._build_server(networks='none', image_uuid=base.IMAGE)
        fields = dict(server)
        hints = fields.pop('hints', {})
        created = self.api.post_server({
            'server': {**body, **fields}, 'os:scheduler_hints': hints,
        })
        self.alive.append(created)
        self.wait_for(
            lambda: self.api.get_server(created['id'])['status'] in (
                'ACTIVE', 'ERROR'
            ), 'a server',
        )
        action = self.api.api_get(
            f'/servers/{created["id"]}/os-instance-actions'
        ).body['instanceActions'][-1]
        return action['request_id'], self.host_of(created)

    def remove(self, server):
        """Delete a server, and wait until its host has its room back."""
        self._delete_server(server)

    def read_state(self):
        """Return what is used of hosts, and which servers are in groups."""
        admin = context.get_admin_context()
        return [
            (node.host, node.memory_mb_used, node.vcpus_used,
             node.local_gb_used, sorted(
                 each for each in (node.stats or {}).items() if each[1] != '0'
             ))
            for node in objects.ComputeNodeList.get_all(admin)
        ], [
            self.api.get_server_group(group)['members']
            for group in self.groups
        ]


class MultiplierTest(ChangesTestCase):
    """Pack memory in place of spreading it."""

    @testcase.attr('slow')
    def test_boots(self):
        """Hosts are those of fresh boots."""
        changed = {'ram_weight_multiplier': -1.0}
        self.follow(lambda: self.flag(**changed), '--config-file', (
            self.write_configuration('new.conf', **changed, **self.same)
        ))


class FilterTest(ChangesTestCase):
    """Enable a filter that was not."""

    enabled_filters = tuple(
        name for name in test_replay.STOCK
        if name != 'AggregateInstanceExtraSpecsFilter'
    )

    @testcase.attr('slow')
    def test_boots(self):
        """Hosts are those of fresh boots."""
        changed = {'enabled_filters': [
            *self.enabled_filters, 'AggregateInstanceExtraSpecsFilter',
        ]}
        self.follow(lambda: self.flag(**changed), '--config-file', (
            self.write_configuration('new.conf', **changed, **self.same)
        ))


class AggregateKeyTest(ChangesTestCase):
    """Remove the key that flavors ask for."""

    @testcase.attr('slow')
    def test_boots(self):
        """Servers find no host, as fresh boots do."""
        self.follow(self.no_key, '--aggregate-unset', 'fast:ssd')
