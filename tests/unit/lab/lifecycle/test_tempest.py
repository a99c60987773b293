"""Prepare Tempest for labs that do not run."""

from types import SimpleNamespace

from nova_ext.lab.lifecycle import tempest
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base


class PrepareTest(base.LabTestCase):
    """Find the images by their names, however many there are."""

    def sections(self, *names):
        """Return the options where Glance has images of these names."""
        def get(kind, path):
            base, _, wanted = path.partition('?name=')
            self.assertEqual('/v2/images', base)
            return {'images': [
                {'name': name, 'id': f'id of {name}'} for name in names
                if name == wanted
            ]}

        self.patch(tempest, 'LabUser', lambda state: SimpleNamespace(get=get))
        return tempest._sections(*self.new_lab(), self.folder)

    def test_images(self):
        """Name the two that a lab has."""
        compute = self.sections('mine', 'cirros-alt', 'cirros')['compute']
        self.assertEqual(
            ('id of cirros', 'id of cirros-alt'),
            (compute['image_ref'], compute['image_ref_alt']),
        )

    def test_absent(self):
        """Say in a line which one is missing."""
        error = self.assertRaises(LabError, self.sections, 'cirros')
        self.assertIn('no image cirros-alt; a lab uploads', str(error))
