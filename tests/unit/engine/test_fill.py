"""Fill hosts with servers until none fits."""

import testtools

from nova_ext.engine.fill import Host, fill


def host(name, *candidates, **limits):
    """Return a host."""
    return Host(name, candidates, limits)


def demand(provider, vcpus, disk_gb=0):
    """Return what one server takes, of a host and a pool of disks."""
    pool = {'pool': {'DISK_GB': disk_gb}} if disk_gb else {}
    return {provider: {'VCPU': vcpus}, **pool}


class FillTest(testtools.TestCase):
    """Two hosts that share a pool of disks."""

    def setUp(self):
        """Have free resources."""
        super().setUp()
        self.free = {
            'a': {'VCPU': 8}, 'a-2': {'VCPU': 3}, 'b': {'VCPU': 4},
            'pool': {'DISK_GB': 50},
        }

    def fill(self, *hosts, at_most=99):
        """Return servers by host, and why no more fit."""
        result = fill(hosts, self.free, at_most)
        return result.placed, result.full

    def test_resources(self):
        """What runs out first bounds a host, and is named."""
        self.assertEqual(
            ({'a': 4, 'b': 1}, {'a': 'VCPU', 'b': 'VCPU'}),
            self.fill(host('a', demand('a', 2)), host('b', demand('b', 3))),
        )

    def test_shared(self):
        """What one host takes of a pool the next one lacks."""
        first = host('a', demand('a', 2, 20))
        second = host('b', demand('b', 1, 10))
        self.assertEqual(
            ({'a': 2, 'b': 1}, {'a': 'DISK_GB', 'b': 'DISK_GB'}),
            self.fill(first, second),
        )
        self.assertEqual(
            ({'b': 4, 'a': 0}, {'b': 'VCPU', 'a': 'DISK_GB'}),
            self.fill(second, first),
        )

    def test_candidates(self):
        """Once the first candidate is full, the others are taken."""
        self.assertEqual(
            ({'a': 4 + 3}, {'a': 'VCPU'}),
            self.fill(host('a', demand('a', 2), demand('a-2', 1))),
        )

    def test_together(self):
        """Classes that ran out together are named together."""
        self.free = {'a': {'VCPU': 4, 'DISK_GB': 4}}
        both = {'a': {'VCPU': 2, 'DISK_GB': 2}}
        self.assertEqual(
            ({'a': 2}, {'a': 'DISK_GB and VCPU'}), self.fill(host('a', both))
        )

    def test_limits(self):
        """The strictest filter bounds a host, over all its candidates.

        Placement is named where it is full too: it is asked before filters.
        """
        candidates = demand('a', 2), demand('a-2', 1)
        for limits, placed, full in (
            ({'Many': 9, 'Few': 5}, 5, 'Few'),
            ({'Many': 6, 'Few': 6}, 6, 'Many'),
            ({'Few': 7}, 7, 'VCPU'),
            ({'Below': -1}, 0, 'Below'),
        ):
            self.assertEqual(
                ({'a': placed}, {'a': full}),
                self.fill(host('a', *candidates, **limits)), limits,
            )

    def test_at_most(self):
        """After that many servers nothing more is taken, or full."""
        hosts = host('b', demand('b', 1)), host('a', demand('a', 1))
        self.assertEqual(
            ({'b': 4, 'a': 2}, {'b': 'VCPU'}), self.fill(*hosts, at_most=6)
        )
        self.assertEqual(
            ({'b': 3, 'a': 0}, {}), self.fill(*hosts, at_most=3)
        )

    def test_caller(self):
        """The amounts of who asks stay as they were."""
        free = {'a': {'VCPU': 8}}
        fill([host('a', demand('a', 1))], free, 3)
        self.assertEqual({'a': {'VCPU': 8}}, free)
