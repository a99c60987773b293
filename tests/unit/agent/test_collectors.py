"""Collectors are loaded by name."""

import testtools

from nova_ext import conf
from nova_ext.agent import collectors
from nova_ext.core.base.errors import ConfigurationError


class LoadTest(testtools.TestCase):
    """Those of this package."""

    def test_default(self):
        """All of them are there, with their options."""
        group = conf.defaults('nova_ext_agent')
        loaded = collectors.load(
            group['collectors'], {'nova_ext_agent': group}
        )
        self.assertEqual(
            group['collectors'], [type(one).__name__ for one in loaded]
        )
        self.assertEqual('/var/lib/nova/instances', loaded[0].options['path'])

    def test_unknown(self):
        """The line says what there is."""
        error = self.assertRaises(
            ConfigurationError, collectors.load, ['LoadColector'], {}
        )
        self.assertIn('did you mean LoadCollector?', str(error))
