"""Test plugins in plain files and packages."""

from importlib import metadata
from pathlib import Path

import fixtures
import testtools

from nova_ext import plugin
from nova_ext.conf import entry_points
from nova_ext.core.base import errors
from nova_ext.filters import specified_host
from nova_ext.scheduler import filters, weights
from nova_ext.scheduler.discovery import installed
from tests.unit.scheduler import configured

FILTER = '''
from nova_ext import plugin

class OddFilter(plugin.Filter):
    def check(self, host, request):
        return plugin.PASS
'''


WEIGHER = '''
from nova_ext import plugin

class RAMWeigher(plugin.Weigher):
    def weigh(self, host, request):
        return 0.0
'''


class PluginFilesTest(configured.ConfiguredTestCase):
    """Test a file that is no package."""

    def file(self, text, name='my_filter.py'):
        """Configure a file with this text."""
        path = Path(self.useFixture(fixtures.TempDir()).join(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.flags('nova_ext', plugin_files=[str(path)])
        return path

    def refusal(self):
        """Return the line that refuses the file."""
        error = self.assertRaises(
            errors.ConfigurationError, filters.all_filters
        )
        self.assertIn('[nova_ext] plugin_files', str(error))
        return str(error)

    def test_a_filter(self):
        """Load its filter under the class name."""
        self.file(FILTER)
        classes = {cls.__name__: cls for cls in filters.all_filters()}
        self.assertIn('OddFilter', classes)
        self.assertIn('ComputeFilter', classes)
        self.assertEqual('nova_ext_files.my_filter',
                         classes['OddFilter'].plugin_class.__module__)

    def test_imported_classes_are_not_its_own(self):
        """Load only what the file defines."""
        self.file(FILTER)
        classes = installed.load_classes('no.such.group', plugin.Plugin)
        self.assertEqual(['OddFilter'], list(classes))

    def test_source_of_an_installed_class(self):
        """Use the file in place of the installed module, and log it."""
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        source = Path(specified_host.__file__).read_text()
        path = self.file(source, 'nova_ext/filters/specified_host.py')
        classes = {cls.__name__: cls for cls in filters.all_filters()}
        self.assertEqual(
            'nova_ext_files.specified_host',
            classes['SpecifiedHostFilter'].plugin_class.__module__,
        )
        self.assertIn(f'SpecifiedHostFilter of {path} is used', log.output)

    def test_name_of_novas(self):
        """Refuse a name of Nova's, which would count twice."""
        self.file(WEIGHER)
        error = self.assertRaises(
            errors.ConfigurationError, weights.all_weighers
        )
        self.assertIn(
            'RAMWeigher: there is a weigher RAMWeigher already', str(error)
        )

    def test_refusals(self):
        """Refuse a file that is absent, broken, no Python or a duplicate."""
        self.flags('nova_ext', plugin_files=['/no/such/file.py'])
        self.assertIn('FileNotFoundError', self.refusal())
        self.file('def (')
        self.assertIn('does not load: SyntaxError', self.refusal())
        self.file(FILTER, 'my_filter.txt')
        self.assertIn('no Python file', self.refusal())
        self.file(FILTER.replace('OddFilter', 'SpecifiedHostFilter'))
        self.assertIn('there is a SpecifiedHostFilter already',
                      self.refusal())


class EntryPointsTest(testtools.TestCase):
    """Test classes of packages."""

    def brought(self, *values):
        """Return the classes where packages bring these under one name."""
        points = [
            metadata.EntryPoint('StatsFilter', value, 'nova_ext.filters')
            for value in values
        ]
        self.useFixture(fixtures.MonkeyPatch(
            'stevedore.ExtensionManager.list_entry_points',
            lambda manager: points,
        ))
        return entry_points.load_classes('nova_ext.filters')

    def test_one_of_a_name(self):
        """Refuse two classes of one name, but not one class twice."""
        ours = 'nova_ext.filters.stats:StatsFilter'
        self.assertEqual(['StatsFilter'], list(self.brought(ours, ours)))
        error = self.assertRaises(
            errors.ConfigurationError, self.brought, ours,
            'nova_ext.filters.offer:OfferFilter',
        )
        self.assertEqual(
            'entry point nova_ext.filters = StatsFilter: nova_ext.filters.'
            'stats and nova_ext.filters.offer both provide one; rename one, '
            'or uninstall its package', str(error),
        )
