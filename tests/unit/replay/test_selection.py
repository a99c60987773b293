"""Select decisions."""

from types import SimpleNamespace

import testtools

from nova_ext.replay.selection import Selection


def take(selection, times=range(1000)):
    """Return the IDs of decisions that are taken, one a second."""
    return [time for time in times if selection.takes(
        SimpleNamespace(worker='w', id=time, time=float(time))
    )]


class SelectionTest(testtools.TestCase):
    """By time and by sample."""

    def test_times(self):
        """The first moment belongs to it, the last one does not."""
        self.assertEqual(
            [3, 4], take(Selection(since=3.0, until=5.0), range(9))
        )

    def test_sample(self):
        """A sample is about its part, and the same each time."""
        sample = take(Selection(share=0.2))
        self.assertEqual(sample, take(Selection(share=0.2)))
        self.assertTrue(120 < len(sample) < 280, len(sample))
        self.assertEqual(1000, len(take(Selection())))
