"""What HeadroomFilter passes and rejects."""

import unittest

from my_filter import HeadroomFilter

from nova_ext.testing import FakeFlavor, make_host, make_request


class TestHeadroomFilter(unittest.TestCase):
    """A host of 16 GiB keeps 2 GiB."""

    def check(self, memory_mb):
        """Ask about a server of that size on an empty host."""
        host = make_host(free_ram_mb=16384, total_usable_ram_mb=16384)
        request = make_request(flavor=FakeFlavor(memory_mb=memory_mb))
        return HeadroomFilter().check(host, request)

    def test_fits(self):
        """A server that leaves exactly an eighth passes."""
        self.assertTrue(self.check(14336).passed)

    def test_too_big(self):
        """One MiB more is too much, and the verdict says why."""
        verdict = self.check(14337)
        self.assertFalse(verdict.passed)
        self.assertIn('an eighth of its memory', verdict.reason)


if __name__ == '__main__':
    unittest.main()
