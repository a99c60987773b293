"""OwnerSpreadWeigher on hosts in two cells."""

import re

import sqlalchemy as sa
from nova import objects
from oslo_utils.fixture import uuidsentinel as uuids
from testtools import testcase

from nova_ext import testing
from nova_ext.scheduler.facts import nova_facts
from tests.functional import base

_COUNTS = re.compile(r'SELECT .*count\(.*\sFROM instances\s.*GROUP BY', re.S)


class OwnerSpreadCase(base.CloudTestCase):
    """Alice has a server on one-1; all other hosts are fuller, by Bob."""

    NUMBER_OF_CELLS = 2
    hosts = ('one-1', 'one-2', 'two-1')
    multiplier = 100.0

    def configure(self):
        """Weigh owners above all else."""
        self.flags(
            weight_multiplier=self.multiplier, group='nova_ext_owner_spread'
        )
        self.flags(instances=-1, cores=-1, ram=-1, group='quota')

    def setUp(self):
        """Boot their servers, and count queries from then on."""
        super().setUp()
        self.alice, self.bob = self.client('alice'), self.client('bob')
        self.first = self.boot({'requested_host': 'one-1'}, self.alice)
        large = self._create_flavor(memory_mb=4096, vcpu=1, disk=1)
        for host in self.hosts[1:]:
            self.boot({'requested_host': host}, self.bob, flavorRef=large)
        self.queries = 0
        sa.event.listen(sa.engine.Engine, 'before_cursor_execute', self.seen)
        self.addCleanup(
            sa.event.remove, sa.engine.Engine, 'before_cursor_execute',
            self.seen,
        )

    def seen(self, connection, cursor, statement, *rest):
        """Count the queries for owners."""
        self.queries += bool(_COUNTS.match(statement))

    def start_host(self, host):
        """Start a compute service in the cell that its name says."""
        self._start_compute(
            host, cell_name='cell1' if host[:3] == 'one' else 'cell2'
        )

    def hosts_of(self, servers):
        """Hosts of several servers, sorted."""
        return sorted(self.host_of(server) for server in servers)

    def assert_spread(self):
        """Alice's next servers avoid one-1 and each other.

        With one query a cell, however many they are.
        """
        self.queries = 0
        self.assertEqual(
            ['one-2', 'two-1'],
            self.hosts_of(self.boot_many(2, api=self.alice)),
        )
        self.assertEqual(2, self.queries)


class OwnerSpreadTest(OwnerSpreadCase):
    """In our scheduler."""

    def test_spread(self):
        """Once each host has one, on all of them again."""
        self.assert_spread()
        self.assertEqual(
            sorted(self.hosts),
            self.hosts_of(self.boot_many(3, api=self.alice)),
        )
        self.assertEqual(2 * 2, self.queries)

    def test_who_is_counted(self):
        """The owner's servers that are there, but the one that is placed."""
        host = testing.make_host('one-1')
        for user, server, expected in (
            ('alice', uuids.other, 1), ('alice', self.first['id'], 0),
            ('bob', uuids.other, 0), ('carol', uuids.other, 0),
        ):
            spec = objects.RequestSpec(user_id=user, instance_uuid=server)
            self.assertEqual(
                expected, nova_facts.get().count_servers_of_owner(host, spec),
                user,
            )
        self._delete_server(self.first)
        spec = objects.RequestSpec(user_id='alice', instance_uuid=uuids.other)
        count = nova_facts.get().count_servers_of_owner(host, spec)
        self.assertEqual(0, count)


class UntrackedTest(OwnerSpreadCase):
    """Without servers in the scheduler's memory."""

    def configure(self):
        """As sites do whose computes reach no scheduler."""
        super().configure()
        self.flags(track_instance_changes=False, group='filter_scheduler')

    @testcase.attr('slow')
    def test_spread(self):
        """The same."""
        self.assert_spread()


class StockTest(OwnerSpreadCase):
    """In a stock nova-scheduler."""

    manager = None

    def test_spread(self):
        """The same."""
        self.assert_spread()


class OffTest(OwnerSpreadCase):
    """As it is where nobody configured anything."""

    multiplier = 0.0

    @testcase.attr('slow')
    def test_off(self):
        """Memory decides, as without it, and nothing is asked."""
        self.assertEqual('one-1', self.host_of(self.boot(api=self.alice)))
        self.assertEqual(0, self.queries)

    @testcase.attr('slow')
    def test_on_in_an_aggregate(self):
        """The metadata of an aggregate turns it on for its hosts."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'spread'}}
        )
        self.admin_api.api_post(
            f'/os-aggregates/{aggregate["id"]}/action', {'set_metadata': {
                'metadata': {'owner_spread_weight_multiplier': '100'},
            }},
        )
        for host in self.hosts:
            self.add_to_aggregate(aggregate['id'], host)
        self.assert_spread()
