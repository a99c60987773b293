"""Boot with the extensions of a file."""

from pathlib import Path

import testtools

from nova_ext.filters import stats
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.trial import booter


class NamesTest(testtools.TestCase):
    """Say at once that a scheduler would not start with a file."""

    def refusal(self, **names):
        """Return the line that refuses a file with classes of these names."""
        error = self.assertRaises(
            LabError, booter._check_names, Path('/a/mine.py'), names
        )
        return str(error)

    def test_taken(self):
        """Name the kind, and whose class has the name."""
        for kind, name, owner in (
            ('filter', 'ComputeFilter', 'Nova'),
            ('filter', 'StatsFilter', 'nova_ext'),
            ('weigher', 'RAMWeigher', 'Nova'),
            ('weigher', 'OwnerSpreadWeigher', 'nova_ext'),
            ('driver', 'IPScheduler', 'nova_ext'),
        ):
            self.assertEqual(
                f'/a/mine.py: there is a {kind} {name} of {owner} already; '
                'rename the class',
                self.refusal(**{kind: ['FreeName', name]}),
            )

    def test_free(self):
        """Accept other names, and an installed plugin's own source."""
        booter._check_names(Path('/a/mine.py'), {
            'filter': ['MyFilter'], 'weigher': ['MyWeigher'],
            'driver': ['MyDriver'],
        })
        booter._check_names(
            Path(stats.__file__), {'filter': ['StatsFilter']}
        )
