"""Find the candidates that placement finds, of random providers.

Placement is real. Providers are read as the mirror reads them, change, and are
read again.
"""

import logging
import os
import random
import time
import uuid
from pathlib import Path
from urllib import parse

import fixtures
from nova import objects, test
from nova.scheduler import host_manager
from nova.scheduler.client import report
from nova.scheduler.utils import ResourceRequest
from nova.tests.functional import fixtures as nova_fixtures
from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslo_db.sqlalchemy import enginefacade
from oslo_utils import timeutils
from placement import conf, db_api, deploy
from placement.db.sqlalchemy import migration
from placement.objects import resource_class, trait

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.deciding import demand
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.mirror.providers.pace import Pace
from nova_ext.scheduler.mirror.providers.provider_file import ProviderFile
from nova_ext.scheduler.mirror.providers.provider_reader import ProviderReader
from tests.unit.database import servers

VERSION = '1.36'
_WANTED = os.environ.get('NOVA_EXT_CANDIDATES_CLOUDS')
#: How many clouds are made, and the first one's seed.
COUNT = int(_WANTED or 3)
SEED = int(os.environ.get('NOVA_EXT_CANDIDATES_SEED') or 1)
#: Times that a cloud changes, and requests after each.
CHANGES, REQUESTS = 3, 25 if _WANTED else 15

CLASSES = ('VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_GOLD')
TRAITS = (
    'COMPUTE_STATUS_DISABLED', 'HW_CPU_X86_AVX2', 'CUSTOM_RED', 'CUSTOM_BLUE',
)
AGGREGATES = tuple(str(uuid.UUID(int=number)) for number in range(1, 4))


class Cloud:
    """Make resource providers in placement, and change them.

    :param api: placement's, as Nova's fixtures have it.
    :param ratios: allocation ratios.
    :ivar hosts: UUIDs of hosts' providers.
    :ivar changed_at: when nova-compute would have written a host's row.
    """

    def __init__(self, api, seed, ratios):
        self.random = random.Random(seed)  # noqa: S311  not a secret
        self._api = api
        self._ratios = ratios
        self._consumers = {}
        #: Of each provider, what it may have.
        self._classes = {}
        self.changed_at = {}
        self.hosts, self._providers = [], []
        has_trees = self.random.random() < 0.5
        for _ in range(self.random.choice((1, 3, 6, 10))):
            root = self._make_provider()
            # Some providers are of no host.
            if self.random.random() < 0.9:
                self.hosts.append(root)
            while has_trees and self.random.random() < 0.3:
                self._make_provider(root)
        for provider in self._providers * 2:
            self._claim(provider)

    def make_host(self, inventories):
        """Return the provider of another host."""
        provider = self._make_provider()
        self._put(
            f'/resource_providers/{provider}/inventories', provider,
            'inventories', inventories,
        )
        self.hosts.append(provider)
        return provider

    def change(self):
        """Change some providers as Nova and operators do."""
        for provider in self._providers:
            self.random.choice((
                self._set_inventories, self._set_traits, self._set_aggregates,
                self._claim, self._claim, self._free, lambda _: None,
            ))(provider)
        if self.random.random() < 0.3:
            self.hosts.append(self._make_provider())

    def remove(self):
        """Remove all of it."""
        for consumers in self._consumers.values():
            for consumer in consumers:
                self._call('delete', f'/allocations/{consumer}')
        for provider in reversed(self._providers):
            self._call('delete', f'/resource_providers/{provider}')

    def draw_query(self):
        """Return what Nova asks placement for a random request."""
        asked = ResourceRequest()
        group = asked.get_request_group(None)
        group.resources = {
            name: self.random.choice((1, 1, 1, 2, 3))
            for name in self.random.sample(CLASSES, self.random.choice(
                (1, 1, 2, 3)
            ))
        }
        draw = self._draw_some
        group.required_traits = draw(TRAITS, 0.05)
        group.forbidden_traits = draw(TRAITS, 0.05) - group.required_traits
        group.aggregates = [
            sorted(some) for some in (
                draw(AGGREGATES, 0.5) for _ in range(2)
            ) if some and self.random.random() < 0.3
        ]
        group.forbidden_aggregates = draw(AGGREGATES, 0.05)
        if self.hosts and self.random.random() < 0.05:
            # Nova names the providers of hosts alone.
            group.in_tree = self.random.choice(self.hosts)
        asked._root_required = draw(TRAITS, 0.05)
        asked._root_forbidden = draw(TRAITS, 0.05) - asked._root_required
        if self.random.random() < 0.1:
            self._draw_mistake(group)
        asked._limit = 1000
        return asked.to_querystring()

    def _draw_mistake(self, group):
        """Ask for something that placement refuses, or reads otherwise."""
        draw = self.random.choice
        if self.random.random() < 0.3:
            group.resources = {}
            return
        names = draw((group.required_traits, group.forbidden_traits))
        names.add(draw(('CUSTOM_NONE', ' CUSTOM_RED', 'in:CUSTOM_RED', 'a,b')))

    def ask(self, query):
        """Return the hosts that placement finds; none if it refuses."""
        answer = self._api.get(
            f'/allocation_candidates?{query}', version=VERSION
        )
        if answer.status == 400:
            return set()
        answer = answer.body
        summaries = answer['provider_summaries']
        return {
            summaries[provider]['root_provider_uuid']
            for found in answer['allocation_requests']
            for provider in found['allocations']
        } & set(self.hosts)

    def _make_provider(self, parent=None):
        provider = self._draw_uuid()
        self._call('post', '/resource_providers', {
            'name': provider, 'uuid': provider,
            'parent_provider_uuid': parent,
        })
        self._providers.append(provider)
        # What cards have, hosts have seldom.
        self._classes[provider] = CLASSES if not parent or (
            self.random.random() < 0.1
        ) else CLASSES[-1:]
        self._set_inventories(provider)
        self._set_traits(provider)
        self._set_aggregates(provider)
        return provider

    def _set_inventories(self, provider):
        draw = self.random.choice
        url = f'/resource_providers/{provider}/inventories'
        self._put(url, provider, 'inventories', {
            name: {
                'total': draw((8, 9, 10, 10, 10, 13, 20)),
                'reserved': draw((0, 0, 1)),
                'allocation_ratio': draw(self._ratios),
                'min_unit': draw((1, 1, 1, 2)), 'max_unit': draw((2, 9, 9)),
                'step_size': draw((1, 1, 1, 1, 2)),
            }
            for name in self._classes[provider]
            if self._consumers.get(provider) or self.random.random() < 0.9
        })

    def _set_traits(self, provider):
        self._put(
            f'/resource_providers/{provider}/traits', provider, 'traits',
            sorted(self._draw_some(TRAITS, 0.4)),
        )

    def _set_aggregates(self, provider):
        self._put(
            f'/resource_providers/{provider}/aggregates', provider,
            'aggregates', sorted(self._draw_some(AGGREGATES, 0.4)),
        )

    def _claim(self, provider):
        """Claim as much as there is, or less; placement may refuse it."""
        consumer = self._draw_uuid()
        name = self.random.choice(CLASSES)
        for amount in self.random.sample((9, 4, 2, 1), 4):
            answer = self._api.put(f'/allocations/{consumer}', {
                'allocations': {provider: {'resources': {name: amount}}},
                'project_id': 'project', 'user_id': 'user',
                'consumer_generation': None,
            }, version=VERSION)
            if answer.status == 204:
                self._consumers.setdefault(provider, []).append(consumer)
                return

    def _free(self, provider):
        """Delete a consumer's allocations, as Nova does for a server."""
        if self._consumers.get(provider):
            consumer = self._consumers[provider].pop()
            self._call('delete', f'/allocations/{consumer}')
            self.changed_at[provider] = time.time()

    def _put(self, url, provider, key, value):
        generation = self._call(
            'get', f'/resource_providers/{provider}'
        )['generation']
        self._call('put', url, {
            'resource_provider_generation': generation, key: value,
        })

    def _call(self, method, url, *body):
        answer = getattr(self._api, method)(url, *body, version=VERSION)
        # Inventories that are in use can't be made smaller: then they stay.
        if answer.status >= 300 and not (
            answer.status == 409 and url.endswith('/inventories')
        ):
            raise AssertionError(f'{method} {url}: {answer.body}')
        return answer.body if method == 'get' else None

    def _draw_some(self, names, share):
        return {name for name in names if self.random.random() < share}

    def _draw_uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128)))


class Reading:
    """Read providers as the mirror's readers do."""

    def __init__(self, folder):
        self._file = ProviderFile(Path(folder) / 'providers')
        client = report.SchedulerReportClient()
        self._reader = ProviderReader(
            self._file, lambda: client, Pace(1, lambda: 1)
        )
        self._table = ProviderTable()
        self._listing = None

    def read(self, cloud):
        """Return a snapshot of the cloud."""
        self._reader.read(cloud.changed_at, 3600)
        known = self._listing
        with self._file.open() as file:
            taken = file.take(
                known.epoch if known else '', known.serial if known else 0
            )
        self._listing = taken.listing
        for _, provider in taken.rows:
            self._table.put(provider)
        self._table.keep(taken.uuids)
        hosts = HostTable(nova_plugins.make_readers([]))
        for provider in cloud.hosts:
            state = host_manager.HostState(provider, provider, 'cell')
            state.uuid = provider
            state.service = {
                'disabled': False, 'last_seen_up': timeutils.utcnow(),
            }
            hosts.put(state)
        return snapshot.make(
            hosts.freeze(), self._table.freeze(), None, time.monotonic(),
            'salt', trees=taken.trees,
        )


class CandidatesTest(test.TestCase):
    """Compare the mirror's candidates with placement's, on SQLite."""

    #: SQLite computes with all of their digits.
    ratios = (0.5, 1.0, 1.0, 1.5, 4.0)

    def setUp(self):
        """Start placement."""
        super().setUp()
        # Placement logs each request, which would be kept with the result.
        self.useFixture(fixtures.FakeLogger(level=logging.ERROR))
        self.placement = self.useFixture(self.make_placement()).api
        objects.register_all()
        for names, kind in (
            (CLASSES, 'resource_classes'), (TRAITS, 'traits'),
        ):
            for name in names:
                if name.startswith('CUSTOM_'):
                    self.placement.put(
                        f'/{kind}/{name}', None, version=VERSION
                    )

    def make_placement(self):
        """Return Nova's fixture of placement."""
        return nova_fixtures.PlacementFixture()

    def compile_query(self, snapshot, query):
        """Return a demand, or None of what is left to Nova."""
        try:
            compiled = demand.compile_query(query)
        except FallbackError:
            return None
        return None if snapshot.find_unknown(compiled) else compiled

    def test_candidates(self):
        """They are the same, and a request that is not understood is told."""
        found = empty = unknown = 0
        for seed in range(SEED, SEED + COUNT):
            cloud = Cloud(self.placement, seed, self.ratios)
            reading = Reading(self.useFixture(fixtures.TempDir()).path)
            for change in range(CHANGES):
                if change:
                    cloud.change()
                snapshot = reading.read(cloud)
                for _ in range(REQUESTS):
                    query = cloud.draw_query()
                    compiled = self.compile_query(snapshot, query)
                    if compiled is None:
                        unknown += 1
                        continue
                    expected = cloud.ask(query)
                    found += bool(expected)
                    empty += not expected
                    rows = snapshot.select(snapshot.providers.find(compiled))
                    self.assertEqual(
                        expected,
                        {snapshot.hosts.keys[row][0] for row in rows.tolist()},
                        f'NOVA_EXT_CANDIDATES_SEED={seed}: '
                        f'{parse.unquote(query)}',
                    )
            cloud.remove()
        print(
            f'{COUNT} clouds from seed {SEED}: {found} requests with '
            f'candidates, {empty} without, {unknown} left to Nova'
        )
        self.assertGreater(found, (empty + unknown) / 9)


class MariaDBTest(CandidatesTest):
    """The same on MariaDB, which keeps ratios with seven digits."""

    ratios = (0.5, 0.7, 0.9, 1.0, 1.1, 1.3, 1.5)

    @classmethod
    def setUpClass(cls):
        """Start MariaDB."""
        super().setUpClass()
        cls.server = servers.MariaDB()
        cls.addClassCleanup(cls.server.remove)
        cls.server.prepare()

    def make_placement(self):
        """Return Nova's fixture of placement, with another database.

        placement.tests.fixtures.Database has it with SQLite.
        """
        config = self.useFixture(config_fixture.Config(cfg.ConfigOpts()))
        conf.register_opts(config.conf)
        # Once a process, and for tests on SQLite, too.
        config.config(group='placement_database', connection='sqlite://')
        db_api.configure(config.conf)
        database = enginefacade.transaction_context()
        database.configure(connection=self.server.url)
        self.addCleanup(
            db_api.placement_context_manager.patch_factory(database)
        )
        engine = database.writer.get_engine()
        self.addCleanup(engine.dispose)
        migration.create_schema(engine)
        for owner, name in (
            (trait, '_TRAITS_SYNCED'),
            (resource_class, '_RESOURCE_CLASSES_SYNCED'),
        ):
            self.useFixture(fixtures.MockPatchObject(owner, name, False))
        deploy.update_database(config.conf)
        return nova_fixtures.PlacementFixture(
            conf_fixture=config, db=False, register_opts=False
        )

    def test_last_unit(self):
        """The last unit is offered just where MariaDB's arithmetic does it."""
        offered = []
        cloud = Cloud(self.placement, SEED, self.ratios)
        self.addCleanup(cloud.remove)
        reading = Reading(self.useFixture(fixtures.TempDir()).path)
        for ratio in self.ratios:
            provider = cloud.make_host({'VCPU': {
                'total': 10, 'allocation_ratio': ratio,
            }})
            query = f'in_tree={provider}&resources=VCPU:{round(10 * ratio)}'
            snapshot = reading.read(cloud)
            found = snapshot.select(snapshot.providers.find(
                demand.compile_query(query)
            ))
            expected = cloud.ask(query)
            self.assertEqual(len(expected), len(found), ratio)
            if expected:
                offered.append(ratio)
        self.assertEqual([0.5, 1.0, 1.1, 1.5], offered)
