"""Find the flavor, the image and the networks of a build in a cloud."""

from nova_ext.zones.offers.own_cloud import NoMatchError, OwnCloud
from nova_ext.zones.server_spec import ServerSpec
from tests.unit.api.base import OURS
from tests.unit.zones.offers import base


class OwnCloudTest(base.GatheringTestCase):
    """A cloud with one of each, and more that are like it."""

    def find(self, **fields):
        """Find what a build asks for."""
        return OwnCloud(self.open_session()).match(
            ServerSpec.from_dict({**base.BUILD, **fields}), OURS
        )

    def refuse(self, code, **fields):
        """Expect that none or two fit."""
        error = self.assertRaises(NoMatchError, self.find, **fields)
        self.assertEqual(code, error.code)

    def test_flavor(self):
        """It is the same in all but its ID."""
        self.assertEqual('42', self.find().flavor.flavorid)
        for name, value in (
            ('vcpus', 2), ('ram', 511), ('disk', 2), ('name', 'Small'),
            ('OS-FLV-EXT-DATA:ephemeral', 1), ('swap', 1),
            ('extra_specs', {}),
            ('extra_specs', {'hw:cpu_policy': 'shared', 'a': 'b'}),
        ):
            self.flavors[:] = [{**base.FLAVOR, name: value}]
            self.refuse('no_flavor')
        self.flavors[:] = [base.FLAVOR, {**base.FLAVOR, 'id': '43'}]
        self.refuse('two_flavors')

    def test_image(self):
        """It is public, or the project's, and of the same content."""
        self.assertEqual('i-1', self.find().image['id'])
        for fields in (
            {'visibility': 'private'}, {'visibility': 'shared'},
            {'status': 'queued'}, {'os_hash_value': 'abd'},
            {'name': 'other'},
        ):
            self.images[:] = [{**base.IMAGE, **fields}]
            self.refuse('no_image')
        self.images[:] = [{
            **base.IMAGE, 'visibility': 'private', 'owner': OURS,
            'os_hash_value': None,
        }]
        self.assertEqual('i-1', self.find().image['id'])

    def test_two_images(self):
        """Of two with one name, the ID that the user named decides."""
        self.images[:] = [base.IMAGE, {**base.IMAGE, 'id': 'i-2'}]
        self.refuse('two_images')
        image = {'id': 'i-2', 'name': 'cirros'}
        self.assertEqual('i-2', self.find(image=image).image['id'])

    def test_image_properties(self):
        """It has all of them; of two that do none is taken."""
        wanted = {'properties': {'hw_disk_bus': 'virtio', 'os_distro': 'x'}}
        self.refuse('no_image', image=wanted)
        self.images.append({
            **base.IMAGE, 'id': 'i-2', 'name': 'other', 'os_distro': 'x',
        })
        self.assertEqual('i-2', self.find(image=wanted).image['id'])
        self.refuse('no_image', image={**wanted, 'name': 'cirros'})
        self.images.append({**self.images[-1], 'id': 'i-3'})
        self.refuse('two_images', image=wanted)
        self.images[-1]['visibility'] = 'private'
        self.assertEqual('i-2', self.find(image=wanted).image['id'])

    def test_networks(self):
        """Each is shared, or the project's, by its name."""
        self.assertEqual('auto', self.find(networks='auto').networks)
        self.assertEqual(['n-1'], self.find(networks=['net']).networks)
        self.networks.append({**base.NETWORK, 'id': 'n-2'})
        self.refuse('two_networks', networks=['net'])
        for each in self.networks:
            each['shared'] = False
        self.refuse('no_network', networks=['net'])
        self.networks[0]['tenant_id'] = OURS
        self.assertEqual(['n-1'], self.find(networks=['net']).networks)

    def test_key(self):
        """It is there by its name."""
        self.find(key_name='mine')
        self.refuse('no_key', key_name='theirs')

    def test_silent(self):
        """An API that does not answer as it should is a reason, too."""
        self.networks[:] = [{'name': 'net'}]
        self.refuse('cloud_silent', networks=['net'])
