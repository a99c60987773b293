"""The points that ``tox -e bench`` measures."""

import testtools

from tests.bench.select import points


class PointsTest(testtools.TestCase):
    """List points."""

    def test_default(self):
        """Each differs from a base in one factor, and hosts only grow.

        Several workers are of use to several clients only.
        """
        listed = points.list_default()
        hosts = [point.hosts for point in listed]
        self.assertEqual(sorted(hosts), hosts)
        for point in listed:
            changed = point.describe(points.Point(
                hosts=point.hosts,
                clients=point.clients if point.workers > 1 else 1,
            ))
            self.assertLess(changed.count(','), 1, changed)
        self.assertEqual(len(set(listed)), len(listed))

    def test_values(self):
        """Each factor has its values."""
        listed = points.list_default()
        for factor, values in {
            'servers': {1, 10, 100}, 'limit': {0, 100, 1000},
            'clients': {1, 4, 16}, 'workers': {1, 2}, 'subset': {1, 3, 10},
            'fallback': {0, 20, 80}, 'churn': {0, 10},
            'filters': set(points.FILTERS), 'hosts': {100, 1000, 10_000},
        }.items():
            self.assertEqual(
                values, {getattr(point, factor) for point in listed}, factor
            )

    def test_shares(self):
        """What few hosts take leaves time for many."""
        listed = points.list_default()
        self.assertEqual([0.25, 0.45, 1.0], sorted({
            points.get_share(point, listed) for point in listed
        }))
        quick = points.list_quick()
        self.assertEqual(1.0, points.get_share(quick[-1], quick))
        base = points.Point(hosts=100)
        self.assertEqual((base, 1.0), (
            listed[0], points.get_share(listed[0], listed),
        ))

    def test_crossing(self):
        """All combinations of the values that were given are measured."""
        listed = points.list_crossing(['hosts=1000,100', 'limit=0,1000'])
        self.assertEqual(
            {(100, 0), (100, 1000), (1000, 0), (1000, 1000)},
            {(point.hosts, point.limit) for point in listed},
        )
        self.assertEqual(100, listed[0].hosts)

    def test_unknown_factor(self):
        """A factor that there is not is named, and those that there are."""
        error = self.assertRaises(
            ValueError, points.list_crossing, ['host=10']
        )
        self.assertIn('host: not one of hosts, servers', str(error))

    def test_sees_all(self):
        """Choices are compared where placement's limit leaves out none."""
        self.assertTrue(points.Point(hosts=1000).sees_all)
        self.assertTrue(points.Point(limit=0).sees_all)
        self.assertFalse(points.Point().sees_all)
