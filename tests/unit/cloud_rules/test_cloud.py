"""Look up what rules name in a cloud that answers over HTTP."""

from types import SimpleNamespace

import openstack
import testtools

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.core.base.errors import NovaExtError
from nova_ext.doctor.model import Aggregate
from tests.unit.cmd import fake_cloud

IMAGES = 'http://image.example/v2'
IMAGE = '11111111-2222-3333-4444-555555555555'


class JudgedCloudTest(testtools.TestCase):
    """Look up a flavor, an image, a project and an aggregate."""

    def setUp(self):
        """Have one of each, and two aggregates of one name."""
        super().setUp()
        cloud = self.useFixture(fake_cloud.CloudFixture(
            image=IMAGES, identity=fake_cloud.IDENTITY
        ))
        self.flavor = {
            'id': '1', 'name': 'small', 'ram': 512, 'vcpus': 2, 'disk': 3,
            'swap': '', 'extra_specs': {'a:b': 'c'},
            'OS-FLV-EXT-DATA:ephemeral': 4,
        }
        flavors = f'{fake_cloud.COMPUTE}/flavors'
        for name in ('small', '1'):
            cloud.get(f'{flavors}/{name}', json={'flavor': self.flavor})
        cloud.get(f'{flavors}/none', status_code=404)
        cloud.get(f'{flavors}/detail', json={'flavors': []})
        image = {
            'id': IMAGE, 'name': 'cirros', 'status': 'active', 'min_ram': 64,
            'hw_cpu_policy': 'shared', 'owner': 'somebody',
        }
        cloud.get(f'{IMAGES}/images/cirros', status_code=404)
        cloud.get(f'{IMAGES}/images', json={'images': [image]})
        cloud.get(f'{IMAGES}/images/{IMAGE}', json=image)
        projects = f'{fake_cloud.IDENTITY}/projects'
        cloud.get(f'{projects}/demo', status_code=404)
        cloud.get(projects, json={'projects': [{'id': 'p', 'name': 'demo'}]})
        aggregates = [
            Aggregate(name, name.rstrip('2'), frozenset([name]), {})
            for name in ('fast', 'slow', 'slow2')
        ]
        self.cloud = JudgedCloud(openstack.connect(), SimpleNamespace(
            aggregates=aggregates, hypervisors=[
                SimpleNamespace(host='cmp-1'), SimpleNamespace(host='cmp-1'),
            ], flavors={'small': {'a:b': 'c'}},
        ), None)

    def refuse(self, call, *args):
        """Return the line of an error."""
        message = str(self.assertRaises(NovaExtError, call, *args))
        self.assertNotIn('\n', message)
        return message

    def test_request(self):
        """A rule's words become what a boot would request."""
        flavor = {
            'vcpus': 2, 'memory_mb': 512, 'root_gb': 3, 'ephemeral_gb': 4,
            'swap': 0, 'name': 'small', 'flavorid': '1',
            'extra_specs': {'a:b': 'c'},
        }
        self.assertEqual({'flavor': flavor}, self.cloud.build_request({
            'flavor': 'small', 'passes on': 'no host',
        }))
        self.assertEqual({
            'flavor': flavor, 'hints': {'rack': '7'},
            'availability_zone': 'west', 'project_id': 'p', 'image': {
                'id': IMAGE, 'name': 'cirros', 'status': 'active',
                'min_ram': 64, 'properties': {'hw_cpu_policy': 'shared'},
            },
        }, self.cloud.build_request({
            'flavor': 'small', 'with image': 'cirros', 'in zone': 'west',
            'for project': 'demo', 'with hints': {'rack': '7'},
        }))

    def test_not_there(self):
        """What is not there is named in one line."""
        self.assertIn('none', self.refuse(
            self.cloud.build_request, {'flavor': 'none'}
        ))
        del self.flavor['extra_specs']
        self.assertEqual(
            'the extra specs of flavor small can\'t be read: use the '
            'credentials of an administrator',
            self.refuse(self.cloud.build_request, {'flavor': 'small'}),
        )

    def test_aggregate(self):
        """A name stands for one aggregate, or for none."""
        self.assertEqual(
            frozenset(['fast']), self.cloud.get_aggregate('fast').hosts
        )
        self.assertEqual(
            '2 aggregates are named slow',
            self.refuse(self.cloud.get_aggregate, 'slow'),
        )
        self.assertEqual(
            'there is no aggregate fasst; did you mean fast? available: '
            'fast, slow',
            self.refuse(self.cloud.get_aggregate, 'fasst'),
        )

    def test_hosts(self):
        """A host of two nodes is one host."""
        self.assertEqual({'cmp-1'}, self.cloud.hosts)
        self.assertEqual({'small': {'a:b': 'c'}}, self.cloud.flavors)
