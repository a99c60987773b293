"""The agent pushes what is needed and has changed."""

import fixtures
import testtools

from nova_ext.agent.agent import Agent
from nova_ext.core import extension
from nova_ext.core.base.scheduling_errors import UnreachableError
from nova_ext.core.stats.stats import checked


class Measured(extension.Collector):
    """Tells what it is told to."""

    def __init__(self, told):
        super().__init__()
        self.told = told

    def collect(self, wanted):
        """Whatever is wanted."""
        if self.told is None:
            raise OSError('no such file')
        self.asked = set(wanted)
        return self.told


class Scheduler:
    """The other end."""

    def __init__(self):
        self.wanted = ['ext:a', 'ext:b']
        self.pushed = []
        self.away = False
        self.asked = 0

    def required_stats(self, context):
        """What it needs."""
        self.asked += 1
        return self.wanted

    def update_resource_stats(self, context, name, stats):
        """Take stats, or be away."""
        if self.away:
            raise UnreachableError('away')
        self.pushed.append((name, checked(stats)))


class AgentTest(testtools.TestCase):
    """Two collectors, everything every 300 s."""

    def setUp(self):
        """A clock that the test turns."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
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
        """What is pushed at a time."""
        self.now = at
        self.scheduler.pushed.clear()
        self.agent.push()
        return [stats for _, stats in self.scheduler.pushed]

    def test_changes(self):
        """All at first, then what is new, all of it again in time."""
        self.assertEqual([{'ext:a': 1, 'ext:b': 2}], self.push(0))
        self.assertEqual([], self.push(60))
        self.second.told = {'ext:b': 5}
        self.assertEqual([{'ext:b': 5}], self.push(120))
        self.assertEqual([{'ext:a': 1, 'ext:b': 5}], self.push(300))

    def test_first_who_tells(self):
        """No other is asked for the same."""
        self.push(0)
        self.assertEqual({'ext:b'}, self.second.asked)

    def test_needed(self):
        """What schedulers do not need is not measured, and asked anew."""
        self.scheduler.wanted = []
        self.assertEqual([], self.push(0))
        self.assertFalse(hasattr(self.first, 'asked'))
        self.scheduler.wanted = ['ext:a']
        self.assertEqual([], self.push(60))
        self.assertEqual([{'ext:a': 1}], self.push(300))

    def test_failing_collector(self):
        """Its stats are absent; the others' are pushed; the log says so."""
        self.first.told = None
        self.assertEqual([{'ext:a': 7, 'ext:b': 2}], self.push(0))
        self.assertIn(
            'Measured tells nothing: OSError: no such file', self.log.output
        )

    def test_value_that_can_not_be_sent(self):
        """It alone is absent, or told by the next; the log says so."""
        self.scheduler.wanted = ['ext:a', 'ext:b', 'ext:c']
        self.first.told = {'ext:a': float('nan'), 'ext:c': 3}
        self.second.told = {'ext:a': 7, 'ext:b': [2]}
        self.assertEqual([{'ext:a': 7, 'ext:c': 3}], self.push(0))
        for name in ('ext:a', 'ext:b'):
            self.assertIn(
                'Measured tells what can\'t be sent: stats: '
                f'{name} is no finite number', self.log.output,
            )
        self.assertEqual([], self.push(60))
        self.assertEqual(1, self.scheduler.asked)

    def test_collector_that_tells_no_mapping(self):
        """It is logged, and costs nobody else's stats."""
        self.first.told = 7
        self.assertEqual([{'ext:a': 7, 'ext:b': 2}], self.push(0))
        self.assertIn('Measured tells nothing: TypeError', self.log.output)

    def test_schedulers_away(self):
        """All is pushed once they are back."""
        self.push(0)
        self.scheduler.away = True
        self.second.told = {'ext:b': 5}
        self.assertEqual([], self.push(60))
        self.scheduler.away = False
        self.assertEqual([{'ext:a': 1, 'ext:b': 5}], self.push(120))
