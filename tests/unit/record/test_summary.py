"""Test the counts of a whole record."""

from nova_ext.record import drops, summary
from tests.unit.record import samples

AT = '2026-11-2{}T12:00:00.000Z'


class SummaryTest(samples.RecordTestCase):
    """Read a record of a few lines."""

    def summarize(self, *lines):
        """Summarize these lines."""
        self.path.write_bytes(b''.join(lines))
        return summary.summarize(self.path)

    def failure(self, day=1, **fields):
        """Return the line of a decision that found no host."""
        return samples.failure_line(at=AT.format(day), **fields)

    def test_counts(self):
        """Count drops and garbage, and tell when the last were counted."""
        found = self.summarize(
            self.failure(1), drops.encode_drops(3), b'oops\n', b'[]\n',
            self.failure(2), drops.encode_drops(4),
        )
        self.assertEqual(
            (7, 2), (found.dropped, found.garbage),
        )
        self.assertTrue(found.dropped_at.endswith('Z'))

    def test_line_in_the_making(self):
        """Ignore the end of a file that is being written."""
        found = self.summarize(self.failure(1), b'{"version":1,"at')
        self.assertEqual(0, found.garbage)

    def test_surrogates(self):
        """Name hosts as a terminal can show them."""
        found = self.summarize(self.failure(by={'host': 'a\udfff'}))
        self.assertEqual(['a\ufffd'], list(found.makers))

    def test_makers(self):
        """Keep the last maker of each host."""
        found = self.summarize(
            self.failure(by={'host': 'a', 'nova': '33'}),
            self.failure(by={'host': 'b', 'nova': '33'}),
            self.failure(by={'host': 'a', 'nova': '34'}),
        )
        self.assertEqual({'a': '34', 'b': '33'}, {
            host: by['nova'] for host, by in found.makers.items()
        })
