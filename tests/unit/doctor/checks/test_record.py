"""Test the check of decision records."""

import pathlib

import fixtures

from nova_ext.doctor.checks import record
from nova_ext.doctor.configuration import Configuration
from nova_ext.record import drops, shortening
from tests.unit.doctor import fake_cloud
from tests.unit.record import samples


class RecordTest(fake_cloud.CheckTestCase):
    """Look for missing decisions and garbage."""

    module = record

    def look_at(self, content):
        """Look at a record of this content; None: there is none."""
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).join('r'))
        if content is not None:
            path.write_bytes(content)
        return self.look(Configuration(records=[path]))

    def test_whole(self):
        """Find nothing."""
        line = shortening.to_line(samples.success(), 65536)
        self.assert_found(self.look_at(line))
        self.assertEqual([], self.unchecked)

    def test_dropped(self):
        """Add up dropped decisions."""
        self.assert_found(
            self.look_at(drops.encode_drops(3) + drops.encode_drops(4)),
            record_dropped='7 decisions dropped',
        )

    def test_damaged(self):
        """Count lines that are no decision."""
        self.assert_found(
            self.look_at(b'oops\n'), record_damaged='1 line of the record',
        )

    def test_none(self):
        """Say what is needed where there is no record."""
        self.assert_found(self.look_at(None))
        self.assertIn('there is no record', self.unchecked[0].what)
        self.assertIn('--record', self.unchecked[0].needs)
