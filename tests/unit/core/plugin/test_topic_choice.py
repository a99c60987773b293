"""Choosing among the hosts of a topic, and what is told of it."""

import testtools

from nova_ext import plugin
from nova_ext.core.base import errors
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from nova_ext.core.plugin import topic_choice


class GroupFilter(plugin.Filter):
    """Passes the hosts of a group."""

    topic = 'backup'

    def check(self, host, request):
        """Look for the group."""
        if request['group'] in host.capabilities.get('groups', ()):
            return plugin.PASS
        return plugin.reject(f'not in {request["group"]}', host.host)


class LastFilter(plugin.Filter):
    """Passes all."""

    topic = 'backup'

    def check(self, host, request):
        """Pass."""
        return plugin.PASS


class SpaceWeigher(plugin.Weigher):
    """Prefers free space."""

    topic = 'backup'

    def weigh(self, host, request):
        """Weigh by free space."""
        return host.get_number('free_gb')


class NameWeigher(plugin.Weigher):
    """Prefers one host, and counts for little."""

    topic = 'backup'

    def weigh(self, host, request):
        """1 for the one."""
        return host.host == request.get('near')

    def get_multiplier(self):
        """Less than the other's."""
        return 0.25


def host(name, groups=('ssd',), **capabilities):
    """Test a host whose service reports."""
    return topic_choice.ServiceHost(name, {'groups': groups, **{
        key: (value,) for key, value in capabilities.items()
    }})


class ChoiceTest(testtools.TestCase):
    """Filters, then weighers."""

    def choose(self, *hosts, filters=(GroupFilter, LastFilter),
               weighers=(SpaceWeigher, NameWeigher), wanted=1, **request):
        """Choose, and keep the decision."""
        attempt = d.Attempt('', 0, len(hosts))
        self.decision = d.Decision(
            'now', 'req-1', hosts_total=len(hosts), attempts=[attempt],
            topic='backup', wanted=wanted,
        )
        ranked = topic_choice.choose(
            attempt, hosts, {'group': 'ssd', **request},
            [cls() for cls in filters], [cls() for cls in weighers],
        )
        self.decision.outcome = d.PLACED if ranked else d.NO_VALID_HOST
        self.decision.chosen = {'': ranked}
        return ranked

    def test_order(self):
        """Weights are scaled and multiplied, as Nova does."""
        hosts = [host('a', free_gb='10'), host('b', free_gb='20'),
                 host('c', free_gb='30'), host('d', ('hdd',), free_gb='90')]
        self.assertEqual(['c', 'b', 'a'], self.choose(*hosts))
        self.assertEqual(['c', 'b', 'a'], self.choose(*hosts, near='b'))
        hosts[1] = host('b', free_gb='26')
        self.assertEqual(['b', 'c', 'a'], self.choose(*hosts, near='b'))

    def test_equal(self):
        """In the order in which they were given."""
        hosts = [host(name) for name in 'cab']
        self.assertEqual(['c', 'a', 'b'], self.choose(*hosts))
        self.assertIn(
            'c chosen from 3 of 3 hosts; the first of 3 of equal weight',
            explain(self.decision).sentence,
        )

    def test_number(self):
        """What is absent or no number is the default."""
        one = host('a', free_gb='20', kind='disk')
        self.assertEqual(20.0, one.get_number('free_gb'))
        self.assertEqual(-1.0, one.get_number('kind', -1.0))
        self.assertEqual(0.0, one.get_number('nothing'))

    def test_several(self):
        """The sentence and the table name all that were wanted."""
        self.choose(
            host('a', free_gb='1'), host('b', free_gb='2'),
            host('c', free_gb='3'), host('d', ()), wanted=2,
        )
        explanation = explain(self.decision)
        self.assertEqual(
            'c, b chosen from 3 of 4 hosts: 1 not in ssd d (GroupFilter); '
            'alternates a', explanation.sentence,
        )
        self.assertEqual(
            [('c', 'chosen'), ('b', 'chosen'), ('a', 'alternate'),
             ('d', 'rejected')],
            [(row.hosts[0], row.verdict) for row in explanation.rows],
        )
        self.assertIn('topic backup', explanation.notes[0])

    def test_too_few(self):
        """It says how many were wanted."""
        self.choose(host('a'), host('b', ()), wanted=2)
        self.assertEqual(
            'a chosen from 1 of 2 hosts: 1 not in ssd b (GroupFilter); 2 '
            'were wanted', explain(self.decision).sentence,
        )

    def test_none(self):
        """Filters that no host reached are named; nobody reports at all."""
        self.assertEqual([], self.choose(host('a', ()), host('b', ())))
        explanation = explain(self.decision)
        self.assertEqual(
            '0/2 hosts: 2 not in ssd (GroupFilter)', explanation.sentence
        )
        self.assertIn(
            'no host was left for LastFilter to be asked about',
            explanation.notes,
        )
        self.assertEqual([], self.choose())
        self.assertEqual(
            'no host: no service of topic backup reports',
            explain(self.decision).sentence,
        )

    def test_broken(self):
        """One that raises or answers nothing is named."""
        class BrokenFilter(GroupFilter):
            def check(self, host, request):
                return None

        class BrokenWeigher(SpaceWeigher):
            def weigh(self, host, request):
                return float('nan')

        for broken in ({'filters': [BrokenFilter]},
                       {'weighers': [BrokenWeigher]}):
            error = self.assertRaises(
                errors.PluginError, self.choose, host('a'), **broken
            )
            self.assertIn('Broken', str(error))
