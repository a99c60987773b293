"""Wait for a cloud's computes."""

from types import SimpleNamespace

import fixtures
import testtools

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import cloud_setup
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost


class Cloud:
    """Answer as Nova and Placement do of two computes."""

    def __init__(self, **second):
        self.services = [
            {'host': 'cmp-1', 'state': 'up', 'forced_down': False},
            {'host': 'cmp-2', **second},
        ]

    def get(self, kind, path):
        """Return the body of a GET."""
        return {
            'services': self.services,
            'resource_providers': [{'name': 'cmp-1'}, {'name': 'cmp-2'}],
        }


class WaitForHostsTest(testtools.TestCase):
    """Wait for those that can come."""

    def wait(self, **second):
        """Wait, where the second compute's service is like this."""
        cloud_setup.wait_for_hosts(
            Cloud(**second), [LabHost('cmp-1'), LabHost('cmp-2')], Progress()
        )

    def setUp(self):
        """Have no patience."""
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.lifecycle.cloud_setup._PATIENCE_S', 0
        ))

    def test_up(self):
        """Go on at once."""
        self.wait(state='up', forced_down=False)

    def test_down(self):
        """Name the one that is not up."""
        error = self.assertRaises(
            LabError, self.wait, state='down', forced_down=False
        )
        self.assertIn('1 computes are not up, such as cmp-2', str(error))

    def test_forced_down(self):
        """Go on without one that does not come up by itself."""
        self.wait(state='down', forced_down=True)


class UploadImagesTest(testtools.TestCase):
    """Upload what is missing."""

    def test_many_images(self):
        """Find those that are there by their names; upload the others."""
        listed = [{'name': 'cirros', 'id': 'old', 'status': 'active'}]
        posted, put = [], []

        def get(kind, path):
            # One page.
            _, _, name = path.partition('?name=')
            return {'images': [
                image for image in listed if image['name'] == name
            ] if name else [{'name': 'mine', 'status': 'active'}] * 25}

        def post(path, json):
            posted.append(json['name'])
            return SimpleNamespace(json=lambda: {
                'id': 'new', 'status': 'queued',
            })

        cloud_setup.upload_images(SimpleNamespace(
            get=get, image=SimpleNamespace(
                post=post, put=lambda path, **how: put.append(path)
            ),
        ))
        self.assertEqual(['cirros-alt'], posted)
        self.assertEqual(['/v2/images/new/file'], put)
