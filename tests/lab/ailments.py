"""Damage a running lab in every way that doctor can find.

Each function does what an operator, a crash or a bug would do.
"""

import contextlib
import datetime
import uuid

import sqlalchemy as sa

from nova_ext.record import drops, shortening
from tests.unit.record import samples


class Patient:
    """Represent a running lab.

    :param lab_folder: where it lives.
    :param cloud: a client of its APIs.
    """

    def __init__(self, lab_folder, cloud):
        self.lab_folder = lab_folder
        self.cloud = cloud
        self.providers = {
            each['name']: each['uuid'] for each in cloud.get(
                'placement', '/resource_providers'
            )['resource_providers']
        }

    @contextlib.contextmanager
    def table(self, database, name):
        """Give a connection to one of Nova's databases, and a table of it."""
        path = self.lab_folder.databases / f'{database}.sqlite'
        engine = sa.create_engine(
            f'sqlite:///{path}', connect_args={'timeout': 60}
        )
        with engine.begin() as connection:
            yield connection, sa.Table(
                name, sa.MetaData(), autoload_with=engine
            )
        engine.dispose()

    def add_service(self, binary, host, seconds_old=0.0):
        """Add a service with one heartbeat."""
        seen = now() - datetime.timedelta(seconds=seconds_old)
        with self.table('nova', 'services') as (connection, services):
            connection.execute(services.insert().values(
                host=host, binary=binary, topic=binary, uuid=new_id(),
                created_at=seen, updated_at=seen, last_seen_up=seen,
                report_count=1, disabled=False, deleted=0, version=70,
                forced_down=False,
            ))

    def heartbeat(self, host, seconds_old):
        """Set a heartbeat of a host's services, from a clock that is off."""
        seen = now() - datetime.timedelta(seconds=seconds_old)
        with self.table('nova', 'services') as (connection, services):
            connection.execute(
                services.update().where(services.c.host == host)
                .values(updated_at=seen, last_seen_up=seen)
            )

    def path(self, host):
        """Return the path of a host's provider."""
        return f'/resource_providers/{self.providers[host]}'

    def generation(self, host):
        """Return the generation of a host's provider."""
        return self.cloud.get('placement', self.path(host))['generation']

    def add_provider(self, name, traits=('COMPUTE_NODE',)):
        """Add a provider that Nova did not make."""
        identity = new_id()
        self.cloud.placement.post('/resource_providers', json={
            'name': name, 'uuid': identity,
        })
        self.cloud.placement.put(
            f'/resource_providers/{identity}/traits', json={
                'resource_provider_generation': 0, 'traits': list(traits),
            },
        )


def prepare(patient):
    """Do all of it, to hosts cmp-1 to cmp-8."""
    down(patient, 'cmp-1')
    disabled_behind_placement(patient, 'cmp-2')
    withheld(patient, 'cmp-3')
    frozen_traits(patient, 'cmp-2')
    frozen_traits(patient, 'cmp-3')
    unmapped(patient, 'cmp-4')
    patient.cloud.placement.delete(patient.path('cmp-5'))
    patient.cloud.placement.delete(patient.path('cmp-6'))
    patient.add_provider('cmp-6')
    patient.add_provider('gone')
    inventory(patient, 'cmp-7', total=32)
    patient.cloud.placement.delete(f'{patient.path("cmp-8")}/inventories')
    second_node(patient, 'cmp-8', 'renamed')
    orphan(patient, 'cmp-1')
    aggregate(patient, 'racks', ['cmp-1', 'cmp-3'])
    unread(patient)
    patient.add_service('nova-compute', 'empty')
    patient.add_service('nova-scheduler', 'ahead', -3600)
    patient.add_service('nova-conductor', 'behind')
    with patient.lab_folder.record.open('ab') as record:
        record.write(drops.encode_drops(7) + b'garbage\n')


def down(patient, host):
    """Force a host down, by the API."""
    services = patient.cloud.get('compute', f'/os-services?host={host}')
    (service,) = services['services']
    patient.cloud.compute.put(
        f'/os-services/{service["id"]}', json={'forced_down': True}
    )


def disabled_behind_placement(patient, host):
    """Disable a host while nova-compute can't tell placement."""
    with patient.table('nova', 'services') as (connection, services):
        connection.execute(
            services.update().where(services.c.host == host)
            .values(disabled=True)
        )


def withheld(patient, host):
    """Enable a host while nova-compute can't tell placement."""
    path = f'{patient.path(host)}/traits'
    traits = patient.cloud.get('placement', path)
    traits['traits'].append('COMPUTE_STATUS_DISABLED')
    patient.cloud.placement.put(path, json=traits)


def frozen_traits(patient, host):
    """Have placement fail where nova-compute tells it what is so."""
    with patient.table('placement', 'resource_provider_traits') as (
        connection, _
    ):
        for event, row in (('INSERT', 'NEW'), ('DELETE', 'OLD')):
            connection.execute(sa.DDL(
                'CREATE TRIGGER "%(name)s" BEFORE %(event)s '
                'ON resource_provider_traits '
                'WHEN %(row)s.resource_provider_id IN '
                "(SELECT id FROM resource_providers WHERE uuid = '%(uuid)s') "
                "BEGIN SELECT RAISE(ABORT, 'frozen'); END", context={
                    'name': f'{event}_{host}', 'event': event, 'row': row,
                    'uuid': patient.providers[host],
                },
            ))


def unmapped(patient, host):
    """Make a host a new one that nobody has discovered yet."""
    with patient.table('nova_api', 'host_mappings') as (connection, mappings):
        connection.execute(
            mappings.delete().where(mappings.c.host == host)
        )


@contextlib.contextmanager
def silent_cell(patient, host):
    """Add a second cell with one host, whose database nobody can open.

    It does not exist to the lab's own services, which read the cells when
    they started.
    """
    with patient.table('nova_api', 'cell_mappings') as (connection, cells):
        (cell,) = connection.execute(cells.insert().values(
            uuid=new_id(), name='silent', transport_url='none:///',
            database_connection='sqlite:////nowhere/nova.sqlite',
            disabled=False,
        )).inserted_primary_key
    with patient.table('nova_api', 'host_mappings') as (connection, hosts):
        connection.execute(hosts.insert().values(host=host, cell_id=cell))
    try:
        yield
    finally:
        with patient.table('nova_api', 'host_mappings') as (connection, hosts):
            connection.execute(hosts.delete().where(hosts.c.cell_id == cell))
        with patient.table('nova_api', 'cell_mappings') as (connection, cells):
            connection.execute(cells.delete().where(cells.c.id == cell))


@contextlib.contextmanager
def refused_claims(patient, host):
    """Have each claim on a host meet another write to its provider."""
    with patient.table('placement', 'allocations') as (connection, _):
        connection.execute(sa.DDL(
            'CREATE TRIGGER another_write AFTER INSERT ON allocations BEGIN '
            'UPDATE resource_providers SET generation = generation + 1 '
            "WHERE id = NEW.resource_provider_id AND uuid = '%(uuid)s'; END",
            context={'uuid': patient.providers[host]},
        ))
    try:
        yield
    finally:
        with patient.table('placement', 'allocations') as (connection, _):
            connection.exec_driver_sql('DROP TRIGGER another_write')


def inventory(patient, host, total):
    """Set another number of processors."""
    patient.cloud.placement.put(
        f'{patient.path(host)}/inventories/VCPU', json={
            'resource_provider_generation': patient.generation(host),
            'total': total,
        },
    )


def second_node(patient, name, host):
    """Add a node a second time, as after a change of [DEFAULT] host."""
    patient.add_service('nova-compute', host)
    with patient.table('nova', 'compute_nodes') as (connection, nodes):
        found = connection.execute(
            nodes.select().where(nodes.c.hypervisor_hostname == name)
        )
        row = dict(found.mappings().one())
        del row['id']
        connection.execute(nodes.insert().values(
            row | {'host': host, 'uuid': new_id()}
        ))
    with patient.table('nova_api', 'host_mappings') as (connection, mappings):
        cell = connection.execute(sa.select(mappings.c.cell_id)).scalar()
        connection.execute(mappings.insert().values(
            host=host, cell_id=cell
        ))


def orphan(patient, host):
    """Add an allocation without a server."""
    patient.cloud.placement.put(f'/allocations/{new_id()}', json={
        'allocations': {
            patient.providers[host]: {'resources': {'VCPU': 1}},
        },
        'project_id': 'nobody', 'user_id': 'nobody',
        'consumer_generation': None, 'consumer_type': 'INSTANCE',
    })


def aggregate(patient, name, hosts):
    """Add an aggregate whose first host is missing in placement."""
    body = patient.cloud.compute.post('/os-aggregates', json={
        'aggregate': {'name': name},
    }).json()['aggregate']
    for host in hosts:
        patient.cloud.compute.post(
            f'/os-aggregates/{body["id"]}/action',
            json={'add_host': {'host': host}},
        )
    patient.cloud.placement.put(
        f'{patient.path(hosts[0])}/aggregates', json={
            'aggregates': [],
            'resource_provider_generation': patient.generation(hosts[0]),
        },
    )


def unread(patient):
    """Write metadata that none of the enabled filters reads."""
    post = patient.cloud.compute.post
    aggregate_id = post('/os-aggregates', json={
        'aggregate': {'name': 'reserved'},
    }).json()['aggregate']['id']
    post(f'/os-aggregates/{aggregate_id}/action', json={
        'set_metadata': {'metadata': {'filter_tenant_id': new_id()}},
    })
    flavor_id = post('/flavors', json={
        'flavor': {'name': 'fast', 'ram': 64, 'vcpus': 1, 'disk': 0},
    }).json()['flavor']['id']
    post(f'/flavors/{flavor_id}/os-extra_specs', json={'extra_specs': {
        'aggregate_instance_extra_specs:ssd': 'true',
        'hw:cpu_policy': 'dedicated',
    }})


def other_record(path):
    """Write the record of a second scheduler, which is an older one."""
    for host, version in (('one', '34.0.0'), ('two', '33.0.0')):
        decision = samples.failure(by={
            'host': host, 'mode': 'scheduler', 'driver': 'FilterScheduler',
            'nova': version,
        })
        with path.open('ab') as record:
            record.write(shortening.to_line(decision, 65536))


def now():
    """Return UTC, as Nova's databases have it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def new_id():
    """Return a UUID."""
    return str(uuid.uuid4())
