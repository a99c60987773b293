"""Test what collectors measure on this machine."""

import os
import shutil
from pathlib import Path

import fixtures
import testtools

from nova_ext.collectors.free_space import FreeSpaceCollector
from nova_ext.collectors.load import LoadCollector
from nova_ext.collectors.nic_speed import NicSpeedCollector


class CollectorsTest(testtools.TestCase):
    """Each against the system itself."""

    def test_load(self):
        """Three averages."""
        stats = LoadCollector().collect({'ext:load1'})
        self.assertEqual({'ext:load1', 'ext:load5', 'ext:load15'}, set(stats))
        self.assertAlmostEqual(
            os.getloadavg()[2], stats['ext:load15'], delta=2
        )

    def test_free_space(self):
        """Of the path's file system, and only where it is wanted."""
        path = self.useFixture(fixtures.TempDir()).path
        collector = FreeSpaceCollector({'path': path})
        (free_gb,) = collector.collect({'ext:path_free_gb'}).values()
        self.assertAlmostEqual(
            shutil.disk_usage(path).free / 2**30, free_gb, delta=2
        )
        gone = FreeSpaceCollector({'path': f'{path}/gone'})
        self.assertEqual({}, gone.collect({'ext:load1'}))
        self.assertRaises(OSError, gone.collect, {'ext:path_free_gb'})

    def test_nic_speed(self):
        """A card with a link, one without, one that is not there."""
        cards = Path(self.useFixture(fixtures.TempDir()).path)
        for name, speed in (
            ('eth0', '10000\n'), ('eth1', '-1\n'), ('eth3', '0\n'),
        ):
            (cards / name).mkdir()
            (cards / name / 'speed').write_text(speed)
        for nic, stats in (
            ('eth0', {'ext:nic_speed_mbps': 10000}), ('eth1', {}),
            ('eth2', {}), ('eth3', {}), ('', {}),
        ):
            collector = NicSpeedCollector({'nic': nic})
            collector.cards = cards
            self.assertEqual(stats, collector.collect({'ext:nic_speed_mbps'}))
            self.assertEqual({}, collector.collect({'ext:load1'}))
