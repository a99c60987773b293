"""Make decisions to record, and a place for a record."""

import uuid
from pathlib import Path

import fixtures
import testtools
from oslo_config import cfg

from nova_ext.conf import record
from nova_ext.core.decision import decision as d
from nova_ext.record import shortening

SERVER = '11111111-2222-3333-4444-555555555555'
REQUEST = 'req-99999999-8888-7777-6666-555555555555'


class RecordTestCase(testtools.TestCase):
    """Have a path for a record in a folder of its own."""

    def setUp(self):
        """Create the folder."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.path = self.folder / 'decisions.jsonl'


def conf(file, **options):
    """Return a configuration whose record is a file."""
    configuration = cfg.ConfigOpts()
    # A group of its own: copies of record.GROUP share what is overridden.
    configuration.register_opts(record.OPTS, group=record.GROUP.name)
    configuration([], default_config_files=[])
    for name, value in {'file': str(file), **options}.items():
        configuration.set_override(name, value, group=record.GROUP.name)
    return configuration


def failure(server=SERVER, request_id=REQUEST, hosts=3, **fields):
    """Return a decision that no host survived."""
    names = [f'compute-{n:05}.example.org' for n in range(hosts)]
    step = d.Step(
        'ComputeFilter', 'filter', hosts, 0,
        [d.Rejection('disabled', hosts, names)], d.Audience.MEMBERS,
    )
    return d.Decision(
        **{
            'at': '2026-11-21T12:00:00.000Z', 'request_id': request_id,
            'servers': [server], 'outcome': d.NO_VALID_HOST,
            'hosts_total': hosts,
            'attempts': [d.Attempt(server, 0, hosts, [step])],
            **fields,
        }
    )


def failure_line(**fields):
    """Return a decision that no host survived as a line of the record."""
    return shortening.to_line(failure(**fields), 65536)


def success(server=SERVER, request_id=REQUEST, hosts=100, rejected=20):
    """Return a decision with two weighers; one tells the hosts apart."""
    names = [f'compute-{n:05}.example.org' for n in range(hosts)]
    left = names[rejected:]
    step = d.Step(
        'ComputeFilter', 'filter', hosts, len(left),
        [d.Rejection('disabled', rejected, names[:rejected])],
        d.Audience.MEMBERS,
    )
    weighers = [
        d.Weighing(
            'RAMWeigher', {h: 512.0 * n for n, h in enumerate(left)},
            dict.fromkeys(left, 1.0), 0,
        ),
        d.Weighing(
            'PCIWeigher', dict.fromkeys(left, 0.0), dict.fromkeys(left, 1.0),
            0,
        ),
    ]
    ranked = left[::-1]
    attempt = d.Attempt(
        server, 0, hosts, [step], weighers, ranked[:10], len(ranked)
    )
    return d.Decision(
        '2026-11-21T12:00:00.000Z', request_id, [server],
        placement=d.Placement('resources=VCPU:1', hosts),
        attempts=[attempt], claims=[d.ClaimResult(server, ranked[0], True)],
        chosen={server: ranked[:3]}, outcome=d.PLACED,
    )


def new_id():
    """Return a new UUID."""
    return str(uuid.uuid4())
