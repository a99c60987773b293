"""The mirror beside filters that do what Nova's never do."""

from nova_ext.core.explanation.explain import explain
from tests.functional import base, other_package, writing
from tests.functional.mirrored import MirroredTestCase


class WritingPluginsTest(MirroredTestCase):
    """Two filters of others write, if a hint says so."""

    available_filters = (
        *base.CloudTestCase.available_filters,
        f'{writing.__name__}.HidingFilter',
        f'{writing.__name__}.RackHintFilter',
    )
    enabled_filters = (
        'ComputeFilter', 'HidingFilter', 'RackHintFilter',
        'SpecifiedHostFilter',
    )

    def test_on(self):
        """Nova decides, and the mirror's hosts stay as they were."""
        before = self.list_free()
        _, decision = self.place()
        self.assert_decided(decision)
        (server,), decision = self.place(hints={'hide': 'cmp-1'})
        self.assert_named('HidingFilter', decision)
        self.assertNotEqual('cmp-1', self.host_of(server))
        (server,), decision = self.place(hints={'rack': '1'})
        self.assert_named('RackHintFilter', decision)
        self.assertEqual('cmp-2', self.host_of(server))
        self.assertEqual(before, self.list_free())

    def test_verify(self):
        """A decision is not compared, and does not look as if it were."""
        self.mirror.may_decide = False
        for hints, name in (
            ({'hide': 'cmp-1'}, 'HidingFilter'),
            ({'rack': '1'}, ''),
        ):
            _, decision = self.place(hints=hints)
            self.assert_named(name, decision)
            self.assertEqual(0, decision.mirror.compared)
        _, decision = self.place()
        self.assertEqual(('', 1), (
            decision.mirror.fallback, decision.mirror.compared
        ))

    def list_free(self):
        """Return the free memory of the mirror's first snapshot."""
        if not hasattr(self, 'first'):
            self.first = self.mirror.refresh()
        return [state.free_ram_mb for state in self.first.hosts.states]

    def assert_named(self, name, decision):
        """The filter is why the mirror did not decide."""
        self.assertEqual(
            ('writing_plugin', name),
            (decision.mirror.fallback, decision.mirror.detail),
        )


class RepeatedHostsTest(MirroredTestCase):
    """A filter of others returns all hosts twice."""

    available_filters = (
        *base.CloudTestCase.available_filters,
        f'{other_package.__name__}.DoublingFilter',
    )
    enabled_filters = ('ComputeFilter', 'DoublingFilter')

    def test_named(self):
        """Nova decides, and a note names the filter."""
        _, decision = self.place()
        self.assertEqual(('irregular_filter', 'DoublingFilter'), (
            decision.mirror.fallback, decision.mirror.detail
        ))
        (note,) = [
            note for note in explain(decision).notes
            if note.startswith('DoublingFilter returned')
        ]
        self.assertIn('more than once', note)
