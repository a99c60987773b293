"""Parts of a host's weight."""

import testtools

from nova_ext.core.decision.decision import Weighing
from nova_ext.core.decision.weigher_contributions import get_contributions


class ContributionsTest(testtools.TestCase):
    """Weights as the record has them; tests/property has Nova's."""

    def test_cut_record(self):
        """A weigher without the host's weight or multiplier is left out."""
        weights, multipliers = {'a': 2.0, 'b': 4.0}, {'a': 3.0, 'b': 3.0}
        parts = get_contributions([
            Weighing('V', weights, {}), Weighing('W', {}, multipliers),
            Weighing('X', weights, multipliers),
        ], 'b')
        self.assertEqual(
            [('X', 4.0, 1.0, 3.0, 3.0)],
            [(part.weigher, part.raw, part.normalised, part.multiplier,
              part.amount) for part in parts],
        )
