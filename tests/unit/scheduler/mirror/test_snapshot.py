"""Test which providers of a snapshot may be used."""

import time
import types

import numpy as np
import testtools

from nova_ext.core.decision.fallback import Fallback
from nova_ext.engine import provider_columns
from nova_ext.engine.providers import Demand, Provider
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.snapshot import Snapshot


class LookTest(testtools.TestCase):
    """Some providers of 20 hosts changed, and were not read since."""

    def look(self, *ages_s, read_s=2):
        """Look at a snapshot for at most a minute old.

        :param ages_s: seconds since some providers were right, by row.
        :param read_s: seconds since all others were.
        """
        now = time.monotonic()
        none = np.zeros(0, np.int64)
        age_s, rows = Snapshot(
            None, None, None, now - read_s,
            np.arange(len(ages_s)), now - np.array(ages_s, np.float64),
            none, none, np.arange(20), 0, none,
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


class UnknownTest(testtools.TestCase):
    """Two hosts, of which one has a trait."""

    def test_forbidden_traits(self):
        """Of custom ones, placement knows those that a provider has."""
        custom = frozenset(['CUSTOM_A'])
        columns = provider_columns.make_columns([
            Provider('h1', 1, {}, {}, custom),
            Provider('h2', 1, {}, {}),
        ])
        none = np.zeros(0, np.int64)
        for forbidden, reason in (
            (('CUSTOM_A', 'COMPUTE_STATUS_DISABLED'), None),
            (('CUSTOM_B',), Fallback.UNKNOWN_TRAIT),
            (('HW_MISSPELT',), Fallback.UNKNOWN_TRAIT),
        ):
            self.assertEqual(reason, Snapshot(
                None, columns, None, 0, none, none, none, none, none, 0, none,
            ).find_unknown(Demand(
                {'VCPU': 1}, forbidden=frozenset(forbidden)
            )))
        # It was taken off, and deleted.
        changed = columns.put([Provider('h1', 2, {}, {})])
        self.assertEqual(frozenset(), changed.list_traits())


class MakeTest(testtools.TestCase):
    """Two hosts; a provider that is no host's own."""

    def make(self, **behind):
        """Return a snapshot that was read at 50.

        :param behind: when providers were right last.
        """
        uuids = np.array(['h1', 'h2'])
        return snapshot.make(
            types.SimpleNamespace(
                keys=[('h1', 'h1'), ('h2', 'h2')], rows={},
                get_values=lambda name: uuids,
            ),
            types.SimpleNamespace(rows={'h1': 0, 'card': 1}), None, 50.0,
            'salt', behind=behind,
        )

    def test_own(self):
        """Hosts' own may be left out, also those that were not read yet."""
        made = self.make(h1=40.0, h2=30.0)
        self.assertEqual(50.0, made.read_at)
        self.assertEqual(
            {(0, 40.0), (-1, 30.0)},
            set(zip(made.behind.tolist(), made.behind_since.tolist(),
                    strict=True)),
        )

    def test_others(self):
        """Others count for the age: they may be in a host's tree."""
        for name in ('card', 'unread'):
            made = self.make(h1=40.0, **{name: 20.0})
            self.assertEqual(20.0, made.read_at)
            self.assertEqual([0], made.behind.tolist())
