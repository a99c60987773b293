"""An exported journal says the same, and no original name is left in it."""

import io
import json
import re
import tempfile
import uuid
from pathlib import Path

import testtools
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_ext.core.base.progress import Progress
from nova_ext.journal import export, frames
from nova_ext.journal.reader import JournalReader
from tests.unit.journal import samples

#: Words that nothing else in a journal has.
HOST = st.from_regex(
    r'\A(rack|cmp|gpu)[0-9]{1,2}[-_][0-9]{1,2}(\.dc\.corp)?\Z'
)
PROJECT = st.from_regex(r'\A([0-9a-f]{32}|team-[a-z]q)\Z')
UUID = st.uuids(version=4).map(str)


@st.composite
def clouds(draw):
    """Draw the names of a small cloud."""
    return {
        'hosts': draw(st.lists(HOST, min_size=1, max_size=4, unique=True)),
        'projects': draw(st.lists(
            PROJECT, min_size=2, max_size=3, unique=True
        )),
        'servers': draw(st.lists(UUID, min_size=2, max_size=4, unique=True)),
        'address': draw(st.sampled_from(['192.168.7.9', 'fd12:3456::77'])),
    }


def make_decisions(cloud):
    """Yield decisions that name hosts, servers and projects everywhere."""
    hosts, projects = cloud['hosts'], cloud['projects']
    aggregate = {'nova_object.name': 'Aggregate', 'nova_object.data': {
        'id': 1, 'name': f'near {hosts[0]}', 'hosts': hosts,
        'uuid': str(uuid.UUID(int=5)), 'metadata': {
            'filter_tenant_id': ','.join(projects),
            'filter_tenant_id_2': projects[-1], f'of {hosts[0]}': 'true',
        },
    }}
    for number, server in enumerate(cloud['servers'], 1):
        made = samples.make_decision(number, {
            host: {
                'aggregates': [1], 'instances': cloud['servers'],
                'host_ip': cloud['address'], 'hypervisor_hostname': host,
                'free_ram_mb': 1024 * number,
                'stats': {f'num_proj_{projects[0]}': '3'},
                'service': {'host': host, 'binary': 'nova-compute'},
                'service_up': True,
            } for host in hosts
        }, {1: aggregate}, {
            'queries': [f'in_tree={hosts[0]}'], 'version': '1.36',
            'allocation_requests': [{
                'allocations': {server: {'resources': {'VCPU': 1}}},
                'mappings': {'': [server]},
            }],
            'provider_summaries': {server: {'resources': {}}},
        })
        made.body.update(
            context={'user_id': 'someone', 'project_id': projects[0]},
            servers=[server], error=f'{server} fits not on {hosts[0]}.',
            missing=[f'attribute x of host {hosts[-1]}'],
            claims=[[server, hosts[0], True]],
            spec={'nova_object.name': 'RequestSpec', 'nova_object.data': {
                'project_id': projects[0], 'instance_uuid': server,
                'ignore_hosts': hosts[1:], 'image': {'nova_object.data': {
                    'owner': projects[-1], 'name': 'cirros',
                }}, 'scheduler_hints': {
                    'requested_host': [hosts[0]], 'same_host': [server],
                    'query': [json.dumps(['=', '$host', hosts[-1]])],
                },
            }},
        )
        yield made


def unpack(path):
    """Return all that is in a file, decompressed."""
    content, text = path.read_bytes(), ''
    begin = frames.check_header(content, path.name)
    stream = frames.Decompressor()
    for frame in frames.FrameReader(content[begin:], begin):
        text += repr(stream.unpack(frame))
    return text


class ExportTest(testtools.TestCase):
    """Journals with any names."""

    @settings(max_examples=40)
    @given(clouds())
    def test_no_name_is_left(self, cloud):
        """Names are gone, and what was equal stays equal."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            scheduler = cloud['hosts'][0]
            before = samples.make_writer(folder, host=scheduler)
            for made in make_decisions(cloud):
                before.write(made)
            before.close()
            (old,) = folder.glob('*.journal')
            (new,), count, notes = export.export(
                [folder], folder / 'new', Progress(io.StringIO())
            )
            self.assertEqual(([], len(cloud['servers'])), (notes, count))
            text = new.name + unpack(new)
            for word in (
                *cloud['hosts'], *cloud['projects'], *cloud['servers'],
                cloud['address'], 'someone',
            ):
                self.assertIsNone(
                    re.search(
                        rf'(?<![^\W_]){re.escape(word)}(?![^\W_])', text
                    ), f'{word} in {text}',
                )
            self.compare(JournalReader(old), JournalReader(new))

    def compare(self, old, new):
        """Find a one-to-one map of names, under which all is equal."""
        names = {}
        for before, after in zip(old, new, strict=True):
            for one, other in zip(before.hosts, after.hosts, strict=True):
                names.setdefault(one.host, other.host)
                self.assertEqual(names[one.host], other.host)
                self.assertEqual(
                    one.values['free_ram_mb'], other.values['free_ram_mb']
                )
                service = other.values['service']
                self.assertEqual(
                    (other.host, 'nova-compute', True),
                    (service['host'], service['binary'], service['up']),
                )
            (aggregate,) = after.hosts[0].values['aggregates']
            data = aggregate['nova_object.data']
            self.assertEqual(
                [names[host.host] for host in before.hosts], data['hosts']
            )
            spec = after.spec['nova_object.data']
            self.assertIn(
                spec['project_id'], data['metadata']['filter_tenant_id']
            )
            self.assertEqual(
                spec['image']['nova_object.data']['owner'],
                data['metadata']['filter_tenant_id_2'],
            )
            hints = spec['scheduler_hints']
            self.assertEqual([after.hosts[0].host], hints['requested_host'])
            self.assertEqual(list(after.servers), hints['same_host'])
            self.assertEqual(
                after.hosts[-1].host, json.loads(hints['query'][0])[2]
            )
            (request,) = after.candidates['allocation_requests']
            self.assertEqual(list(after.servers), list(request['allocations']))
            self.assertEqual([after.servers[0]], request['mappings'][''])
        self.assertEqual(len(names), len(set(names.values())))
