"""Which hosts are chosen."""

import unittest

from image_prefetch.driver import ImagePrefetchDriver
from image_prefetch.group_filter import ImageGroupFilter
from image_prefetch.held_weigher import ImageHeldWeigher
from image_prefetch.room_filter import ImageRoomFilter
from image_prefetch.space_weigher import ImageSpaceWeigher
from nova_ext.plugin import NoHostError, WrongArgumentsError
from nova_ext.testing import (
    FakeChooser,
    FakeFacts,
    make_context,
    make_service_host,
)


class ChooseTest(unittest.TestCase):
    """The driver with its filters and weighers."""

    def choose(self, *hosts, size_mb=100, **wanted):
        """Names of the hosts, best first."""
        driver = ImagePrefetchDriver(FakeFacts())
        driver.chooser = FakeChooser(
            hosts, [ImageGroupFilter(), ImageRoomFilter()],
            [ImageHeldWeigher(), ImageSpaceWeigher()],
        )
        return driver.choose(
            make_context(), 'cirros.img', size_mb, **wanted
        )['hosts']

    def test_most_room_first(self):
        """A host without room is left out."""
        self.assertEqual(['roomy', 'fits'], self.choose(
            make_service_host('full', free_mb=99),
            make_service_host('fits', free_mb=100),
            make_service_host('roomy', free_mb=1000),
        ))

    def test_held_first(self):
        """Where the image is, it needs no room."""
        self.assertEqual(['full', 'roomy'], self.choose(
            make_service_host('roomy', free_mb=10**6, images=['other.img']),
            make_service_host('full', free_mb=0, images=['cirros.img']),
        ))

    def test_group(self):
        """A host may be in several; one that reports none is in none."""
        hosts = [
            make_service_host('a', free_mb=300, groups=['ssd', 'eu']),
            make_service_host('b', free_mb=200, groups=['ssd']),
            make_service_host('c', free_mb=100),
        ]
        self.assertEqual(['a', 'b'], self.choose(*hosts, group='ssd'))
        self.assertEqual(['a'], self.choose(*hosts, group='eu'))
        self.assertEqual(['a', 'b', 'c'], self.choose(*hosts))

    def test_refusals(self):
        """No host fits; numbers that are none."""
        host = make_service_host('a', free_mb=1)
        with self.assertRaises(NoHostError):
            self.choose(host)
        for wrong in ({'count': 0}, {'count': 'all'}, {'count': True},
                      {'size_mb': -1}, {'size_mb': None}):
            with self.assertRaises(WrongArgumentsError):
                self.choose(host, **wrong)
