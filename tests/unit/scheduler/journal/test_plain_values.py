"""Primitives are Nova's own, and hold no secrets."""

import testtools
from nova import objects

from nova_ext.scheduler.journal import plain_values
from tests.bench import nova_hosts


class PlainValuesTest(testtools.TestCase):
    """Request specs as plain values."""

    def setUp(self):
        """Make a request spec as nova-api does."""
        super().setUp()
        nova_hosts.prepare()
        self.spec = nova_hosts.make_request(**{'hw:cpu_policy': 'shared'})
        self.spec.scheduler_hints = {
            'group': ['g'], 'api_key': ['s3cret'],
            'url': ['http://u:s3cret@host/'],
        }

    def test_primitive(self):
        """Nova reads it as it reads its own."""
        read = objects.RequestSpec.obj_from_primitive(
            plain_values.to_primitive(self.spec)
        )
        self.assertEqual(
            _strip(self.spec.obj_to_primitive()),
            _strip(read.obj_to_primitive()),
        )

    def test_masked(self):
        """Secrets in hints are masked, and named."""
        masked, places = plain_values.mask_spec(
            plain_values.to_primitive(self.spec)
        )
        self.assertNotIn('s3cret', str(masked))
        self.assertEqual(['hints.api_key', 'hints.url'], sorted(places))
        self.assertEqual(
            ['g'], masked['nova_object.data']['scheduler_hints']['group']
        )


def _strip(primitive):
    """Leave out which fields were changed: that is no fact."""
    if isinstance(primitive, dict):
        return {
            name: _strip(value) for name, value in primitive.items()
            if name != 'nova_object.changes'
        }
    if isinstance(primitive, list):
        return list(map(_strip, primitive))
    return primitive
