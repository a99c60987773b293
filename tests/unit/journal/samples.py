"""Decisions of a small cloud, as the scheduler hands them to the writer."""

from nova_ext.engine.provider_columns import Inventory, Provider
from nova_ext.journal import columns, writer

LIMITS = writer.JournalLimits(file_mb=16, day_mb=64, total_mb=128, age_days=7)
PROCESS = {
    'mode': 'scheduler',
    'versions': {'nova': '34.0.0', 'nova_ext': '1.0', 'python': '3.11'},
    'configuration': {'DEFAULT': {'host': 'ctl-1'}},
    'masked': ['database.connection'],
    'plugins': [{
        'kind': 'filter', 'name': 'ComputeFilter', 'module': 'x.compute',
        'package': 'nova 34.0.0', 'digest': 'ab',
    }],
    'driver': 'FilterScheduler',
}


def make_writer(folder, **kwargs):
    """Return the writer of a process.

    :param process: what is otherwise than in PROCESS.
    """
    process = PROCESS | kwargs.pop('process', {})
    return writer.JournalWriter(
        folder, kwargs.pop('host', 'ctl-1'), kwargs.pop('limits', LIMITS),
        lambda: process, **kwargs,
    )


def make_known(hosts, aggregates=(), ranked=None):
    """Return all hosts that a mirror knew.

    :param hosts: the values of hosts, by name.
    :param aggregates: by ID.
    """
    return columns.MirroredHosts(
        [(name, name, f'uuid-{name}', 'cell') for name in hosts],
        [
            {key: columns.pack(value) for key, value in values.items()}
            for values in hosts.values()
        ], {
            number: columns.pack(value)
            for number, value in dict(aggregates).items()
        }, ranked,
    )


def make_provider(uuid, used=0, traits=()):
    """Return a resource provider."""
    return Provider(
        uuid, 1, {'VCPU': Inventory(8)}, {'VCPU': used}, frozenset(traits)
    )


def make_decision(number, hosts, aggregates=(), candidates=None, cloud=None):
    """Return a decision.

    :param hosts: the values of hosts, by name.
    :param aggregates: by ID.
    """
    names = list(hosts)
    return writer.PackedDecision(
        body={
            'id': number, 'request_id': f'req-{number}',
            'time': 1000.0 + number, 'operation': 'create',
            'context': {'user_id': 'u', 'roles': ['member']},
            'spec': {'nova_object.name': 'RequestSpec'},
            'servers': [f'server-{number}'], 'options': {},
            'attempts': [[
                0, f'server-{number}', 7, len(names),
                [[name, name] for name in names[:2]],
            ]],
            'claims': [[f'server-{number}', name, True] for name in names[:1]],
            'destinations': [[[name, name] for name in names[:2]]],
            'outcome': 'placed', 'error': '', 'fallback': '',
            'mirrored': False, 'missing': [],
        },
        keys=[(name, name, f'uuid-{name}', 'cell') for name in names],
        hosts=[
            {key: columns.pack(value) for key, value in values.items()}
            for values in hosts.values()
        ],
        aggregates={
            number: columns.pack(value)
            for number, value in dict(aggregates).items()
        },
        candidates=candidates, cloud=cloud,
    )
