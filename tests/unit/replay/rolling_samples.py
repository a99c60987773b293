"""A journal that was imported, and what decides it."""

from nova_ext.core.decision.decision import FAILED, NO_VALID_HOST, PLACED
from nova_ext.journal import frames
from nova_ext.journal.columns import HostWriter, MirroredHosts
from nova_ext.journal.model import IMPORTED
from nova_ext.journal.replayed import Evidence, HostVerdict, Replayed
from tests.unit.journal import samples

#: vCPUs and MiB, by name.
FLAVORS = {'small': (1, 1024), 'large': (4, 4096)}


def write_journal(path, flavors, known=(), chosen=None, **process):
    """Write a journal of requests for one server each.

    :param flavors: the flavor of each request; by number, or in order.
    :param known: hosts that a mirror knew.
    :param chosen: hosts by number; empty: none. None: nobody decided.
    """
    if not isinstance(flavors, dict):
        flavors = dict(enumerate(flavors, 1))
    writer = frames.FrameWriter()
    data = frames.HEADER + writer.make(frames.EPOCH, {
        **samples.PROCESS, 'mode': IMPORTED, 'version': frames.VERSION,
        'host': 'x', 'pid': 0, 'began': 0.0, **process,
    })
    rows = HostWriter()
    keys = [(name, name, f'uuid-{name}', '') for name in known]
    hosts = MirroredHosts(keys, [{} for _ in keys], {}, []) if known else None
    for number, flavor in flavors.items():
        host = (chosen or {}).get(number)
        vcpus, memory_mb = FLAVORS[flavor]
        data += writer.make(frames.DECISION, {
            'id': number, 'request_id': f'row-{number}',
            'time': float(number), 'operation': 'first boot', 'context': {},
            'spec': {'nova_object.data': {'flavor': {'nova_object.data': {
                'name': flavor, 'vcpus': vcpus, 'memory_mb': memory_mb,
                'root_gb': 0, 'ephemeral_gb': 0, 'extra_specs': {
                    'resources:CUSTOM_X': '2', 'resources:VGPU': 'x',
                },
            }}}},
            'servers': [f'server-{number}'], 'options': {}, 'attempts': [],
            'claims': [], 'destinations': [[[host, host]]] if host else [],
            'outcome': 'passed' if chosen is None
            else PLACED if host else NO_VALID_HOST,
            'hosts': rows.encode((), (), {}, hosts), 'candidates': None,
            'ended': [], 'providers': [[
                'p', {'VCPU': [8, 0, 1.0, 1, 8, 1]}, {}, [], [],
            ]],
        })
    path.write_bytes(data)
    return path


class FakeCloud:
    """Stand for the cloud that decisions leave."""

    def __init__(self):
        """Have two servers."""
        self.servers = {'one': None, 'two': None}
        self.released = []

    def list_free(self):
        """Two hosts: one has no memory left, the other is empty."""
        yield {'VCPU': 3, 'MEMORY_MB': 512, 'CUSTOM_X': 4}, False
        yield {'VCPU': 8, 'MEMORY_MB': 8192, 'CUSTOM_X': 1}, True

    def release(self, server):
        """End a server."""
        self.released.append(server)


class FakeReplayer:
    """Place servers as a configuration says.

    :param hosts: of each decision, by its number; empty: none.
    """

    def __init__(self, hosts):
        """Take a configuration."""
        self.hosts = hosts
        self.stage = self
        self.cloud = FakeCloud()

    def decide(self, decision, watched=None, *, compared=True):
        """Decide; a server of the end is never placed, if it is large."""
        flavor = decision.spec['nova_object.data']['flavor'][
            'nova_object.data'
        ]['name']
        host = self.hosts.get(decision.id, '')
        if decision.servers != [f'server-{decision.id}']:
            host = 'a' if flavor == 'small' else ''
        rejected = {('a', 'a'): HostVerdict('F', 'filter', 'no')} if (
            decision.id == 2
        ) else {}
        if host == 'raises':
            return Replayed('', decision.id, FAILED, [], 'filter X raised')
        return Replayed(
            '', decision.id, PLACED if host else NO_VALID_HOST,
            [[(host, host)]] if host else [], best=2 if host == 'b' else 0,
            fallback='' if host else 'no host', evidence=[
                Evidence(0, rejected, {}),
            ] if watched or compared else (),
        )
