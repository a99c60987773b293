"""Test that drivers are loaded by topic, or refused in one line."""

from nova_ext import plugin
from nova_ext.core.base import errors
from nova_ext.drivers.chance import ChanceScheduler
from nova_ext.drivers.filter import FilterScheduler
from nova_ext.scheduler.plugins import drivers
from tests.unit.scheduler import configured


class StorageDriver(plugin.Driver):
    """Drive another topic."""

    topic = 'storage'


class Topicless(plugin.Driver):
    """Name no topic."""


class NoComputeDriver(plugin.Driver):
    """Name the topic, without the methods that it needs."""

    topic = 'compute'


class Refusing(plugin.ComputeDriver):
    """Fail to start."""

    def __init__(self, facts, options=None):
        raise RuntimeError('no licence')


class LoadTest(configured.ConfiguredTestCase):
    """Test one driver a topic."""

    def load(self, *names):
        """Load drivers of these names."""
        return drivers.load(names, facts=None)

    def refusal(self, *names):
        """Return the line that refuses these names."""
        error = self.assertRaises(
            errors.ConfigurationError, self.load, *names
        )
        self.assertNotIn('\n', str(error))
        self.assertIn('[nova_ext] scheduler_driver', str(error))
        return str(error)

    def test_names(self):
        """Take an entry-point name, a colon path and a dotted path."""
        for name in (
            'ChanceScheduler', 'nova_ext.drivers.chance:ChanceScheduler',
            'nova_ext.drivers.chance.ChanceScheduler',
        ):
            self.assertIsInstance(
                self.load(name)['compute'], ChanceScheduler
            )

    def test_one_a_topic(self):
        """Load drivers of different topics."""
        loaded = self.load('FilterScheduler', f'{__name__}:StorageDriver')
        self.assertIsInstance(loaded['compute'], FilterScheduler)
        self.assertIsInstance(loaded['storage'], StorageDriver)

    def test_options_are_handed_over(self):
        """Read the options of the driver's group."""
        self.flags('nova_ext_ip_scheduler', default_prefix='other')
        driver = self.load('IPScheduler')['compute']
        self.assertEqual('other', driver.options['default_prefix'])

    def test_refusals(self):
        """Say what is wrong, and what is available."""
        for names, words in (
            (['IPSchedule'], 'did you mean IPScheduler? available: Chance'),
            (['nova_ext.drivers.filter:FilterSchedular'],
             'does not load: ImportError: module '
             "'nova_ext.drivers.filter' has no attribute "
             "'FilterSchedular'"),
            (['no.such:Driver'], 'does not load'),
            (['FilterScheduler', 'ChanceScheduler'],
             'ChanceScheduler: topic compute has the driver '
             'FilterScheduler already'),
            (['nova_ext.core.base.errors.NovaExtError'], 'no driver'),
            ([f'{__name__}:Topicless'], 'no driver'),
            ([f'{__name__}:StorageDriver'], 'no driver of topic compute'),
            ([f'{__name__}:NoComputeDriver'],
             'not a subclass of nova_ext.plugin.ComputeDriver'),
            ([], 'no driver of topic compute'),
            ([f'{__name__}:Refusing'], 'RuntimeError: no licence'),
        ):
            self.assertIn(words, self.refusal(*names), names)

    def test_malformed_rule(self):
        """Name the driver's own option."""
        self.flags('nova_ext_ip_scheduler', rules=['10.1/16=doc'])
        error = self.assertRaises(
            errors.ConfigurationError, self.load, 'IPScheduler'
        )
        self.assertIn('[nova_ext_ip_scheduler] rules', str(error))
