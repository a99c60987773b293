"""Plugins of another package that return what Nova's never do."""

from nova_ext.core.explanation.explain import explain
from tests.functional import base, other_package

OTHER = other_package.__name__


class IrregularTest(base.CloudTestCase):
    """cmp-1 comes in place of the hosts that a hint names, and all twice."""

    available_filters = (
        base.OUR_FILTERS, f'{OTHER}.RepeatingFilter',
        f'{OTHER}.DoublingFilter',
    )
    enabled_filters = (
        'ComputeFilter', 'RepeatingFilter', 'DoublingFilter', 'JsonFilter',
    )

    def test_counts(self):
        """Each host counts once, for each server of a request."""
        hints = {'not': ['cmp-2', 'no-host']}
        servers = self.boot_many(2, hints)
        (decision,) = self.decisions()
        for server in servers:
            explanation = explain(decision, server['id'])
            self.assertIn(' chosen from 2 of 3 hosts', explanation.sentence)
            self.assertIn('1 rejected by RepeatingFilter',
                          explanation.sentence)
            self.assertEqual(3, sum(row.count for row in explanation.rows))
            self.assertTrue(all(row.hosts for row in explanation.rows))
        self.boot({'not': list(self.hosts)})
        sentence = explain(self.decisions()[-1]).sentence
        self.assertIn(' chosen from 1 of 3 hosts', sentence)


class PluginModeIrregularTest(IrregularTest):
    """In a stock scheduler."""

    manager = None


class NoNumberTest(base.CloudTestCase):
    """A weigher returns None; Nova raises behind it."""

    enabled_filters = ('ComputeFilter',)
    weight_classes = (base.OUR_WEIGHERS, f'{OTHER}.NoneWeigher')

    def test_named(self):
        """The weigher is named, and what it returned."""
        self.boot(expected_state='ERROR')
        explanation = explain(self.decisions()[-1])
        self.assertEqual('failed', explanation.outcome)
        self.assertIn(
            'weigher NoneWeigher returned None, which is no number',
            explanation.sentence,
        )


class PluginModeNoNumberTest(NoNumberTest):
    """In a stock scheduler."""

    manager = None
