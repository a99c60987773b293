"""What Nova's prefilters asked for."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain


class PrefilteredTest(testtools.TestCase):
    """A note, where there is something to tell."""

    def says(self, note, prefilters):
        """Assert on what operators are told; others are told nothing."""
        made = d.Decision('T', 'req-1', prefilters=prefilters)
        for hosts, expected in ((True, note), (False, [])):
            self.assertEqual(expected, [
                each for each in explain(made, hosts=hosts).notes
                if each.startswith('prefilters')
            ])

    def test_added(self):
        """Traits and aggregates."""
        self.says([
            'prefilters added trait A required, trait B forbidden, a host of '
            'aggregate u1 or u2, no host of aggregate u3'
        ], {
            'required_traits': ['A', 'OWNER_NOVA'],
            'forbidden_traits': ['B', 'COMPUTE_STATUS_DISABLED'],
            'aggregates': ['u1,u2'], 'forbidden_aggregates': ['u3'],
        })

    def test_of_a_log(self):
        """Nova's words, and which prefilter it was."""
        self.says([
            'prefilters added required trait A (virtio_sound_filter)'
        ], {
            'virtio_sound_filter': ['required trait A'],
            'owner_nova_filter': ['required trait OWNER_NOVA'],
        })

    def test_as_always(self):
        """What is added to every request tells nothing."""
        self.says([], None)
        self.says([], {
            'required_traits': ['OWNER_NOVA'],
            'forbidden_traits': ['COMPUTE_STATUS_DISABLED'],
        })
