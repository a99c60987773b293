"""Add servers to the databases: copies of some that run."""

import copy
import dataclasses
import json
import random
import time
import uuid
from collections import Counter

import sqlalchemy as sa
from nova import objects
from nova.db.api import api as api_db
from oslo_utils import timeutils
from placement import db_api as placement_db

from tests.bench import crowd

#: Tables of a cell that have a row of each server, by what names it.
_OF_CELL = {
    'instances': 'uuid', 'instance_extra': 'instance_uuid',
    'instance_info_caches': 'instance_uuid',
}
_OF_API = {
    'instance_mappings': 'instance_uuid', 'request_specs': 'instance_uuid',
}


@dataclasses.dataclass(frozen=True)
class Copy:
    """Represent a server that is a copy of another one.

    :param template: the UUID of the one that runs.
    :param host: name of the copy's host.
    :param groups: the template's server group, and the copy's, by their
        UUIDs; empty: it is in none.
    """

    template: str
    host: str
    groups: tuple[str, ...] = ()
    server: str = dataclasses.field(
        default_factory=lambda: str(uuid.uuid4())
    )


def scatter(templates, hosts, on_each, seed=0):
    """Return copies of servers chosen by chance.

    :param templates: their UUIDs.
    :param hosts: names of hosts without servers.
    :param on_each: how many each host gets.
    """
    dice = random.Random(seed)  # noqa: S311  no secret
    return [
        Copy(dice.choice(templates), name)
        for name in hosts for _ in range(on_each)
    ]


def add(host, hosts, copies):
    """Copy servers onto many hosts.

    :param host: the one that has the servers to copy.
    :param hosts: names of hosts without servers.
    :returns: by host, the UUIDs of its servers, and what is used there by
        resource class.
    """
    _copy_to_cell(host, copies)
    with api_db.get_engine().begin() as api:
        for table, key in _OF_API.items():
            _copy(api, table, key, copies)
    used = {name: Counter() for name in hosts}
    with placement_db.get_placement_engine().begin() as placement:
        _claim(placement, copies, used)
    servers = {name: [] for name in hosts}
    for each in copies:
        servers[each.host].append(each.server)
    _use(host, used, servers)
    return servers, used


def add_groups(copies):
    """Copy the server groups of templates for their copies."""
    members, templates = {}, {}
    for each in copies:
        if each.groups:
            template, group = each.groups
            members.setdefault(group, []).append(each.server)
            templates.setdefault(group, template)
    if not members:
        return
    with api_db.get_engine().begin() as api:
        groups, policies, in_group = (
            crowd._table(api, f'instance_group{name}')
            for name in ('s', '_policy', '_member')
        )
        for group, servers in members.items():
            row = dict(api.execute(
                sa.select(groups).filter_by(uuid=templates[group])
            ).mappings().one())
            policy = dict(api.execute(
                sa.select(policies).filter_by(group_id=row.pop('id'))
            ).mappings().one())
            (its_id,) = api.execute(
                sa.insert(groups), {**row, 'uuid': group}
            ).inserted_primary_key
            policy.pop('id')
            api.execute(sa.insert(policies), {**policy, 'group_id': its_id})
            api.execute(sa.insert(in_group), [
                {'instance_uuid': server, 'group_id': its_id}
                for server in servers
            ])


def report(host_manager, servers):
    """Have the scheduler hear of the servers, as nova-compute tells it."""
    host_manager._instance_info.update({
        host: {'updated': True, 'instances': {
            each: objects.Instance(uuid=each) for each in some
        }} for host, some in servers.items()
    })


def fill_file(mirror, placement, used, sizes=None):
    """Write the rows of all providers into a mirror's file.

    :param mirror: it has read one provider, of which the others are copies.
    :param used: by host, and by resource class.
    :param sizes: see :func:`.crowd.resize`; None: all are alike.
    """
    (provider,) = mirror._cloud.providers
    listed = placement.get(
        '/resource_providers', version='1.36'
    ).body['resource_providers']
    with mirror._cloud.file.open() as file:
        for item in listed:
            if item['name'] in used:
                file.put(dataclasses.replace(
                    provider, uuid=item['uuid'], used=used[item['name']],
                    generation=item['generation'], inventories={
                        name: _resize(
                            inventory, (sizes or {}).get(item['name'], {}),
                            name,
                        ) for name, inventory in provider.inventories.items()
                    },
                ), time.monotonic(), time.time())


def _resize(inventory, size, name):
    total = size.get(name, inventory.total)
    return dataclasses.replace(inventory, total=total, max_unit=total)


def _copy(connection, name, key, copies):
    """Insert copies of rows, each of another server."""
    table = crowd._table(connection, name)
    rows = {
        row[key]: dict(row) for row in connection.execute(
            sa.select(table).where(table.c[key].in_({
                each.template for each in copies
            }))
        ).mappings()
    }
    values = []
    for each in copies:
        row = copy.copy(rows[each.template])
        row.pop('id')
        row[key] = each.server
        if 'host' in row:
            row['host'] = row['node'] = row['launched_on'] = each.host
        if 'spec' in row:
            row['spec'] = row['spec'].replace(each.template, each.server)
            if each.groups:
                row['spec'] = row['spec'].replace(*each.groups)
        values.append(row)
    connection.execute(sa.insert(table), values)


def _claim(connection, copies, used):
    """Insert allocations; add what they use, by host."""
    templates = {each.template for each in copies}
    consumers, allocations, providers, classes = (
        crowd._table(connection, name) for name in (
            'consumers', 'allocations', 'resource_providers',
            'resource_classes',
        )
    )
    names = dict(connection.execute(
        sa.select(classes.c.id, classes.c.name)
    ).all())
    ids = dict(connection.execute(
        sa.select(providers.c.name, providers.c.id)
    ).all())
    rows = {
        row['uuid']: dict(row) for row in connection.execute(
            sa.select(consumers).where(consumers.c.uuid.in_(templates))
        ).mappings()
    }
    amounts = {}
    for row in connection.execute(sa.select(allocations).where(
        allocations.c.consumer_id.in_(templates)
    )).mappings():
        amounts.setdefault(row['consumer_id'], []).append(dict(row))
    new_consumers, new_allocations = [], []
    for each in copies:
        row = {**rows[each.template], 'uuid': each.server}
        row.pop('id')
        new_consumers.append(row)
        for amount in amounts[each.template]:
            row = {
                **amount, 'consumer_id': each.server,
                'resource_provider_id': ids[each.host],
            }
            row.pop('id')
            new_allocations.append(row)
            used[each.host][names[row['resource_class_id']]] += row['used']
    connection.execute(sa.insert(consumers), new_consumers)
    connection.execute(sa.insert(allocations), new_allocations)


@crowd._RETRIED
def _copy_to_cell(host, copies):
    with crowd._in_cell(host) as cell:
        for table, key in _OF_CELL.items():
            _copy(cell, table, key, copies)


@crowd._RETRIED
def _use(host, used, servers):
    """Write what is used into the rows of compute nodes."""
    with crowd._in_cell(host) as cell:
        nodes = crowd._table(cell, 'compute_nodes')
        for name, amounts in used.items():
            cell.execute(sa.update(nodes).where(nodes.c.host == name).values(
                vcpus_used=amounts['VCPU'],
                memory_mb_used=amounts['MEMORY_MB'],
                free_ram_mb=nodes.c.memory_mb - amounts['MEMORY_MB'],
                local_gb_used=amounts['DISK_GB'],
                free_disk_gb=nodes.c.local_gb - amounts['DISK_GB'],
                running_vms=len(servers[name]),
                updated_at=timeutils.utcnow(),
                stats=json.dumps({'num_instances': str(len(servers[name]))}),
            ))
