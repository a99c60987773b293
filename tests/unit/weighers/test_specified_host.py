"""SpecifiedHostWeigher draws a server back."""

import testtools

from nova_ext import testing
from nova_ext.weighers.specified_host import SpecifiedHostWeigher

RETURN = {'requested_destination': testing.FakeDestination(cell='cell1')}


class SpecifiedHostWeigherTest(testtools.TestCase):
    """Only a server that returns is drawn."""

    def weigh(self, hint, **fields):
        """Return the weight of cmp-1."""
        return testing.weigh(
            SpecifiedHostWeigher(), testing.make_host('cmp-1'),
            testing.make_request({'requested_host': hint}, **fields),
        )

    def test_weights(self):
        """1 for the named host on a return, 0 for all else."""
        self.assertEqual(1.0, self.weigh('CMP-1', **RETURN))
        self.assertEqual(0.0, self.weigh('cmp-2', **RETURN))
        self.assertEqual(0.0, self.weigh('cmp-1'))
        self.assertEqual(0.0, self.weigh('cmp-1', ignore_hosts=['cmp-2']))

    def test_multiplier(self):
        """The option's value."""
        weigher = SpecifiedHostWeigher({'weight_multiplier': 7.5})
        self.assertEqual(7.5, weigher.get_multiplier())
