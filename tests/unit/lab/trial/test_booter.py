"""Boot with the extensions of a file."""

from pathlib import Path

import testtools

from nova_ext.filters import stats
from nova_ext.lab.configuration import nova_config
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.zone import Zone
from nova_ext.lab.trial import booter


class BooterTest(testtools.TestCase):
    """Prepare a scheduler for a file, or say that it would not start."""

    def refusal(self, **names):
        """Return the line that refuses a file with classes of these names."""
        error = self.assertRaises(
            LabError, booter._check_names, Path('/a/mine.py'), names
        )
        return str(error)

    def add(self, names, state):
        """Return the settings for a file with classes of these names."""
        return booter._add_extensions(
            LabFolder(Path('/labs/a')), Path('/a/mine.py'), names, state
        )

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

    def test_weigher(self):
        """Have a stock scheduler load it, unless the lab's user said what."""
        state = lab_state.create([])
        state.stock_schedulers = 1
        names = {'weigher': ['MyWeigher']}
        self.assertEqual(
            [nova_config.WEIGHT_CLASSES],
            self.add(names, state)[booter.WEIGHERS],
        )
        state.settings[booter.WEIGHERS] = ['theirs']
        self.assertNotIn(booter.WEIGHERS, self.add(names, state))

    def test_filters(self):
        """Add to those that are set, or to all that the lab has by default."""
        state = lab_state.create([])
        state.zone = Zone(('a', 'a-2'), 0)
        names = {'filter': ['MyFilter']}
        self.assertEqual(
            [','.join((*nova_config.ENABLED_FILTERS, 'OfferFilter',
                       'MyFilter'))],
            self.add(names, state)[booter.FILTERS],
        )
        state.settings[booter.FILTERS] = ['A,MyFilter']
        self.assertEqual(
            ['A,MyFilter'], self.add(names, state)[booter.FILTERS]
        )

    def test_driver(self):
        """Name the lab that needs another scheduler."""
        state = lab_state.create([])
        state.stock_schedulers = 1
        error = self.assertRaises(
            LabError, self.add, {'driver': ['MyDriver']}, state
        )
        self.assertIn('"nova-ext lab up --name a --no-stock"', str(error))

    def test_free(self):
        """Accept other names, and an installed plugin's own source."""
        booter._check_names(Path('/a/mine.py'), {
            'filter': ['MyFilter'], 'weigher': ['MyWeigher'],
            'driver': ['MyDriver'],
        })
        booter._check_names(
            Path(stats.__file__), {'filter': ['StatsFilter']}
        )
