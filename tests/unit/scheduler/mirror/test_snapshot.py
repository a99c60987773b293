"""Test which providers of a snapshot may be used."""

import time
import types

import numpy as np
import testtools

from nova_ext.scheduler.mirror.snapshot import Snapshot

#: Of each provider its row; all that is looked at.
_PROVIDERS = types.SimpleNamespace(rows={str(row): row for row in range(20)})


class LookTest(testtools.TestCase):
    """Some of 20 providers changed, and were not read since."""

    def look(self, *ages_s, read_s=2):
        """Look at a snapshot for at most a minute old.

        :param ages_s: seconds since some providers were right, by row.
        :param read_s: seconds since all others were.
        """
        now = time.monotonic()
        none = np.zeros(0, np.int64)
        age_s, rows = Snapshot(
            None, _PROVIDERS, '', now - read_s,
            np.arange(len(ages_s)), now - np.array(ages_s, np.float64),
            none, none, none, 0, none,
        ).look(60)
        return round(age_s), rows.tolist()

    def test_all_right(self):
        """Without changes, the age is that of the reading."""
        self.assertEqual((2, []), self.look())
        self.assertEqual((61, []), self.look(read_s=61))

    def test_changed(self):
        """Those that changed lately are used; they count for the age."""
        self.assertEqual((59, []), self.look(3, 59))

    def test_old(self):
        """A tenth may be left out; then they do not count for the age."""
        self.assertEqual((59, [0, 2]), self.look(61, 59, 100))
        self.assertEqual((90, [0]), self.look(100, read_s=90))

    def test_many(self):
        """Where more are too old, the whole is."""
        self.assertEqual((100, []), self.look(61, 61, 100))
