"""Fill Nova's and placement's tables with hosts, as nova-compute would."""

import datetime
import json
import random
import uuid

import sqlalchemy as sa
from nova.db.api import models as api_models
from nova.db.main import models
from nova.objects import service
from oslo_utils import timeutils

from tests.bench.select import hosts

#: UUIDs of Nova's cells.
CELL0, CELL = str(uuid.UUID(int=0)), str(uuid.UUID(int=0xCE11))
#: Tables that a scheduler reads in a cell.
_READ = ('compute_nodes', 'services', 'instances')
#: Rows in one statement.
_AT_ONCE = 1000


class Cloud:
    """Keep the hosts' rows in the databases.

    :param get_url: returns a database's URL.
    :ivar hosts: those that are there.
    """

    def __init__(self, get_url):
        self._get_url = get_url
        self._engines = {}
        self._tables = {}
        self._dice = random.Random(0)  # noqa: S311  no secret
        self.hosts = []

    def migrate(self):
        """Create Nova's tables and cells; placement creates its own."""
        cells = {CELL0: 'nova_cell0', CELL: 'nova_cell1'}
        # Nova's migrations end in the same tables, and take a minute.
        api_models.BASE.metadata.create_all(self.get_engine('nova_api'))
        for database in cells.values():
            models.BASE.metadata.create_all(self.get_engine(database), [
                models.BASE.metadata.tables[name] for name in _READ
            ])
        self.insert('nova_api', 'cell_mappings', [
            {
                'id': number, 'uuid': cell, 'name': database,
                'transport_url': 'fake://', 'disabled': False,
                'database_connection': self._get_url(database),
            }
            for number, (cell, database) in enumerate(cells.items(), 1)
        ])

    def prepare_placement(self):
        """Write what hosts share in placement's tables, and aggregates."""
        zones = range(1, hosts.ZONES + 1)
        uuids = {zone: hosts.describe_zone(zone - 1) for zone in zones}
        self.insert('nova_api', 'aggregates', [
            {'id': zone, 'uuid': uuids[zone], 'name': f'zone-{zone}'}
            for zone in zones
        ])
        self.insert('nova_api', 'aggregate_metadata', [
            {'aggregate_id': zone, 'key': 'availability_zone',
             'value': f'zone-{zone}'}
            for zone in zones
        ])
        self.insert('placement', 'placement_aggregates', [
            {'id': zone, 'uuid': uuids[zone]} for zone in zones
        ])
        for table in ('projects', 'users'):
            self.insert('placement', table, [{'id': 1, 'external_id': 'old'}])

    def grow(self, count):
        """Add hosts until there are so many."""
        first = len(self.hosts)
        new = [hosts.Host(each, self._dice) for each in range(first, count)]
        self.hosts += new
        self.insert('nova_api', 'host_mappings', [
            {'cell_id': 2, 'host': host.name} for host in new
        ])
        self.insert('nova_api', 'aggregate_hosts', [
            {'aggregate_id': host.zone + 1, 'host': host.name}
            for host in new
        ])
        self._insert_computes(new)
        self._insert_providers(new)

    def _insert_computes(self, new):
        now = timeutils.utcnow()
        # Longer ago than what the mirror takes for a change.
        before = now - datetime.timedelta(hours=1)
        self.insert('nova_cell1', 'services', [
            {
                'id': host.id, 'uuid': str(uuid.uuid4()), 'deleted': 0,
                'host': host.name, 'binary': 'nova-compute',
                'topic': 'compute', 'report_count': 1, 'disabled': False,
                'forced_down': False, 'last_seen_up': now,
                'created_at': before, 'version': service.SERVICE_VERSION,
            }
            for host in new
        ])
        numa, cpu_info = hosts.describe_numa(), json.dumps(hosts.CPU_INFO)
        self.insert('nova_cell1', 'compute_nodes', [
            {
                'id': host.id, 'uuid': host.uuid, 'host': host.name,
                'hypervisor_hostname': host.name, 'deleted': 0,
                'created_at': before, 'updated_at': before, 'mapped': 1,
                'hypervisor_type': 'QEMU', 'hypervisor_version': 8002002,
                'vcpus': hosts.CAPACITY['VCPU'], 'vcpus_used': used['VCPU'],
                'memory_mb': hosts.CAPACITY['MEMORY_MB'],
                'memory_mb_used': used['MEMORY_MB'],
                'free_ram_mb': hosts.CAPACITY['MEMORY_MB'] - used['MEMORY_MB'],
                'local_gb': hosts.CAPACITY['DISK_GB'],
                'local_gb_used': used['DISK_GB'],
                'free_disk_gb': hosts.CAPACITY['DISK_GB'] - used['DISK_GB'],
                'disk_available_least':
                    hosts.CAPACITY['DISK_GB'] - used['DISK_GB'],
                'running_vms': hosts.SERVERS, 'current_workload': 0,
                'cpu_info': cpu_info, 'host_ip': '127.0.0.1',
                'supported_instances': json.dumps([
                    ['x86_64', 'kvm', 'hvm'], ['i686', 'kvm', 'hvm'],
                    ['x86_64', 'qemu', 'hvm'],
                ]),
                'metrics': '[]', 'extra_resources': None,
                'pci_stats': hosts.NO_DEVICES, 'numa_topology': numa,
                'stats': json.dumps({
                    'failed_builds': '0', 'num_instances': str(hosts.SERVERS),
                    'io_workload': str(host.io_ops),
                    'num_vm_active': str(hosts.SERVERS), 'num_task_None': '4',
                    'num_os_type_linux': '4', 'num_proj_old': '4',
                }),
                **{
                    f'{name}_allocation_ratio': hosts.RATIO[resource]
                    for name, resource in (
                        ('cpu', 'VCPU'), ('ram', 'MEMORY_MB'),
                        ('disk', 'DISK_GB'),
                    )
                },
            }
            for host, used in ((host, host.used) for host in new)
        ])

    def _insert_providers(self, new):
        traits = self.list_ids('placement', 'traits')
        classes = self.list_ids('placement', 'resource_classes')
        self.insert('placement', 'resource_providers', [
            {
                'id': host.id, 'uuid': host.uuid, 'name': host.name,
                'generation': 1, 'root_provider_id': host.id,
            }
            for host in new
        ])
        self.insert('placement', 'inventories', [
            {
                'resource_provider_id': host.id,
                'resource_class_id': classes[name],
                **hosts.describe_inventory(name),
            }
            for host in new for name in hosts.CAPACITY
        ])
        self.insert('placement', 'resource_provider_traits', [
            {'resource_provider_id': host.id, 'trait_id': traits[name]}
            for host in new for name in hosts.TRAITS
        ])
        self.insert('placement', 'resource_provider_aggregates', [
            {'resource_provider_id': host.id, 'aggregate_id': host.zone + 1}
            for host in new
        ])
        consumers = [
            (host, server, str(uuid.uuid4()))
            for host in new for server in host.servers
        ]
        self.insert('placement', 'consumers', [
            {'uuid': consumer, 'project_id': 1, 'user_id': 1, 'generation': 1}
            for _, _, consumer in consumers
        ])
        self.insert('placement', 'allocations', [
            {
                'resource_provider_id': host.id, 'consumer_id': consumer,
                'resource_class_id': classes[name], 'used': amount,
            }
            for host, server, consumer in consumers
            for name, amount in server.items()
        ])

    def get_engine(self, database):
        """Return an engine of a database."""
        if database not in self._engines:
            self._engines[database] = sa.create_engine(self._get_url(database))
        return self._engines[database]

    def get_table(self, database, name):
        """Return a table as it stands in its database."""
        if (database, name) not in self._tables:
            self._tables[database, name] = sa.Table(
                name, sa.MetaData(), autoload_with=self.get_engine(database)
            )
        return self._tables[database, name]

    def list_ids(self, database, table):
        """Return the ids of a table's rows by name."""
        columns = self.get_table(database, table).c
        with self.get_engine(database).connect() as connection:
            return dict(connection.execute(
                sa.select(columns.name, columns.id)
            ).all())

    def insert(self, database, table, rows):
        """Insert rows, made now: placement can't do without that."""
        described = self.get_table(database, table)
        if 'created_at' in described.c:
            rows = [{'created_at': timeutils.utcnow(), **row} for row in rows]
        with self.get_engine(database).begin() as connection:
            for first in range(0, len(rows), _AT_ONCE):
                connection.execute(
                    sa.insert(described), rows[first:first + _AT_ONCE]
                )

    def close(self):
        """Close all connections."""
        for engine in self._engines.values():
            engine.dispose()
