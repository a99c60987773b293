"""What HeadroomFilter passes and rejects."""

import unittest

from my_filter import HeadroomFilter

from nova_ext.testing import FakeFlavor, make_host, make_request


class TestHeadroomFilter(unittest.TestCase):
    """A server of 2048 MiB is placed."""

    def check(self, free_ram_mb):
        """Ask about a host with that much free memory."""
        host = make_host(free_ram_mb=free_ram_mb)
        request = make_request(flavor=FakeFlavor(memory_mb=2048))
        return HeadroomFilter().check(host, request)

    def test_enough(self):
        """A host that keeps exactly 1024 MiB passes."""
        self.assertTrue(self.check(3072).passed)

    def test_too_little(self):
        """One MiB less is too little, and the verdict says why."""
        verdict = self.check(3071)
        self.assertFalse(verdict.passed)
        self.assertEqual(
            'less than 1024 MiB would stay free', verdict.reason
        )


if __name__ == '__main__':
    unittest.main()
