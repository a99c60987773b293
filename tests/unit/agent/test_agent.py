"""Push what is needed."""

import fixtures
import testtools
from oslo_config import cfg

from nova_ext import conf, plugin
from nova_ext.agent.agent import Agent, load_collectors
from nova_ext.core.base.errors import ConfigurationError
from nova_ext.core.base.scheduling_errors import UnreachableError
from nova_ext.core.stats.validation import validate


class Measured(plugin.Collector):
    """Collect what a test sets."""

    def __init__(self, stats):
        super().__init__()
        self.stats = stats

    def collect(self, names):
        """Return all stats, needed or not."""
        if self.stats is None:
            raise OSError('no such file')
        self.names = set(names)
        return self.stats


class Scheduler:
    """Take stats."""

    def __init__(self):
        self.needed = ['ext:a', 'ext:b']
        self.pushed = []
        self.reported = []
        self.away = False
        self.queries = 0

    def required_stats(self, context):
        """Return what it needs."""
        self.queries += 1
        return self.needed

    def update_resource_stats(self, context, name, stats):
        """Take stats, or be away."""
        if self.away:
            raise UnreachableError('away')
        self.pushed.append((name, validate(stats)))

    def update_service_capabilities(self, context, service, host, report):
        """Take a report."""
        self.reported.append((service, host, report))


class AgentTest(testtools.TestCase):
    """Use two collectors; ask every 300 s what is needed."""

    def setUp(self):
        """Have a clock that the test sets."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.now = 0.0
        self.scheduler = Scheduler()
        self.first, self.second = Measured({'ext:a': 1}), Measured(
            {'ext:a': 7, 'ext:b': 2, 'ext:unwanted': 3}
        )
        self.agent = Agent(
            self.scheduler, None, 'cmp-1', [self.first, self.second], 60, 300,
            clock=lambda: self.now,
        )

    def push(self, at):
        """Return what is pushed at a time."""
        self.now = at
        self.scheduler.pushed.clear()
        self.agent.push()
        return [stats for _, stats in self.scheduler.pushed]

    def test_all(self):
        """Push all each time: a scheduler may have restarted meanwhile."""
        self.assertEqual([{'ext:a': 1, 'ext:b': 2}], self.push(0))
        self.assertEqual([{'ext:a': 1, 'ext:b': 2}], self.push(60))
        self.second.stats = {'ext:b': 5}
        self.assertEqual([{'ext:a': 1, 'ext:b': 5}], self.push(120))

    def test_first_collector(self):
        """Take each stat from the first collector that has it."""
        self.push(0)
        self.assertEqual({'ext:b'}, self.second.names)

    def test_needed(self):
        """Measure what is needed only, and ask again what that is."""
        self.scheduler.needed = []
        self.assertEqual([], self.push(0))
        self.assertFalse(hasattr(self.first, 'names'))
        self.scheduler.needed = ['ext:a']
        self.assertEqual([], self.push(60))
        self.assertEqual([{'ext:a': 1}], self.push(300))

    def test_failing_collector(self):
        """Push the other collectors' stats, and log the failure."""
        self.first.stats = None
        self.assertEqual([{'ext:a': 7, 'ext:b': 2}], self.push(0))
        self.assertIn(
            'Measured collects nothing: OSError: no such file', self.log.output
        )

    def test_value_that_can_not_be_sent(self):
        """Leave out that value alone, or take the next collector's; log it."""
        self.scheduler.needed = ['ext:a', 'ext:b', 'ext:c']
        self.first.stats = {'ext:a': float('nan'), 'ext:c': 3}
        self.second.stats = {'ext:a': 7, 'ext:b': [2]}
        self.assertEqual([{'ext:a': 7, 'ext:c': 3}], self.push(0))
        for name in ('ext:a', 'ext:b'):
            self.assertIn(
                'Measured collects what can\'t be sent: stats: '
                f'{name} is no finite number', self.log.output,
            )
        self.push(60)
        self.assertEqual(1, self.scheduler.queries)

    def test_collector_that_returns_no_mapping(self):
        """Log it, and push the other collectors' stats."""
        self.first.stats = 7
        self.assertEqual([{'ext:a': 7, 'ext:b': 2}], self.push(0))
        self.assertIn('Measured collects nothing: TypeError', self.log.output)

    def test_capabilities(self):
        """Report those of each service whenever it measures."""
        self.agent = Agent(
            self.scheduler, None, 'cmp-1', [self.first], 60, 300,
            ['compute', 'volume'], clock=lambda: self.now,
        )
        self.first.stats = {'ext:a': 1, 'ext:load1': 0.7, 'ext:load5': 2}
        report = {'cpu': 0.7}
        self.assertEqual([{'ext:a': 1}], self.push(0))
        self.first.stats['ext:nic_speed_mbps'] = 800
        self.push(60)
        self.assertEqual([
            (service, 'cmp-1', has)
            for has in (report, {**report, 'network': 800})
            for service in ('compute', 'volume')
        ], self.scheduler.reported)

    def test_schedulers_away(self):
        """Ask them what they need once they are back."""
        self.push(0)
        self.scheduler.away = True
        self.assertEqual([], self.push(60))
        self.scheduler.away = False
        self.scheduler.needed = ['ext:b']
        self.assertEqual([{'ext:b': 2}], self.push(120))


class LoadTest(testtools.TestCase):
    """Load this package's collectors by name."""

    def test_default(self):
        """Load all of them, with their options."""
        group = make_conf().nova_ext_agent
        loaded = load_collectors(group.collectors, make_conf())
        self.assertEqual(
            group.collectors,
            [type(collector).__name__ for collector in loaded],
        )
        self.assertEqual('/var/lib/nova/instances', loaded[0].options['path'])

    def test_unknown(self):
        """Suggest a name for an unknown one."""
        error = self.assertRaises(
            ConfigurationError, load_collectors, ['LoadColector'], make_conf()
        )
        self.assertIn('did you mean LoadCollector?', str(error))

    def test_own_options(self):
        """A package's collector gets the options that it registered."""
        self.provide(option_group='users')
        options = make_conf()
        options.register_opt(cfg.StrOpt('path', default='/users'), 'users')
        loaded, = load_collectors(['Users'], options)
        self.assertEqual('/users', loaded.options['path'])

    def test_refused(self):
        """One that can't be made is one line."""
        self.provide(option_group='users')
        error = self.assertRaises(
            ConfigurationError, load_collectors, ['Users'], make_conf()
        )
        self.assertIn('no group [users]', str(error))

        def fail(self, options=None):
            raise OSError('no such device')

        self.provide(__init__=fail)
        error = self.assertRaises(
            ConfigurationError, load_collectors, ['Users'], make_conf()
        )
        self.assertIn('OSError: no such device', str(error))

    def provide(self, **members):
        """Have a package bring a collector."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.conf.entry_points.load_classes', lambda namespace: {
                'Users': type('Users', (plugin.Collector,), members)
            }
        ))


def make_conf():
    """Return a configuration with the defaults of our options."""
    options = cfg.ConfigOpts()
    conf.register_opts(options)
    options([], default_config_files=[], default_config_dirs=[])
    return options
