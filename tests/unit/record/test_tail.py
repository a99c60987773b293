"""Test reading a record while it is written."""

import itertools

from nova_ext.record import reader
from nova_ext.record.file import RecordFile
from nova_ext.record.tail import Follower
from tests.unit.record import samples


class FollowerTest(samples.RecordTestCase):
    """Yield each line once, in order."""

    def setUp(self):
        """Have a record that is rotated after every third line."""
        super().setUp()
        ticks = itertools.count(0, .001)
        self.file = RecordFile(
            self.path, 30, 3, 1000, clock=lambda: next(ticks)
        )
        self.addCleanup(self.file.close)

    def append(self, *numbers):
        """Append lines of ten bytes."""
        for number in numbers:
            self.file.append(b'%09d\n' % number)

    def numbers(self, follower):
        """Return what has come since."""
        return [int(line) for line in follower.lines()]

    def test_through_rotations(self):
        """Read through one rotation or several since the last look."""
        follower = Follower(self.path)
        self.assertEqual([], self.numbers(follower))
        seen = []
        for numbers in ([1, 2], [3], [4, 5, 6, 7, 8], [], [9], range(10, 19)):
            self.append(*numbers)
            seen += self.numbers(follower)
        self.assertEqual(list(range(1, 19)), seen)

    def test_goes_on(self):
        """Go on from another follower's place."""
        self.append(1, 2, 3, 4)
        first = Follower(self.path)
        lines = first.lines()
        self.assertEqual([1, 2], [int(next(lines)), int(next(lines))])
        place = first.place
        self.append(5, 6, 7)
        self.assertEqual(
            [3, 4, 5, 6, 7], self.numbers(Follower(self.path, place))
        )

    def test_place_is_gone(self):
        """Read what is left of the record."""
        self.append(1)
        follower = Follower(self.path)
        follower.skip()
        self.append(*range(2, 19))
        self.assertFalse(follower.missed)
        self.assertEqual(list(range(7, 19)), self.numbers(follower))
        self.assertTrue(follower.missed)

    def test_skip(self):
        """Skip what was there before."""
        follower = Follower(self.path)
        follower.skip()
        self.append(1, 2, 3, 4)
        follower.skip()
        self.append(5, 6, 7)
        self.assertEqual([5, 6, 7], self.numbers(follower))

    def test_skip_an_empty_file(self):
        """Skip what was rotated before an empty file."""
        self.append(1, 2, 3, 4)
        self.path.write_bytes(b'')
        follower = Follower(self.path)
        follower.skip()
        self.append(5)
        self.assertEqual([5], self.numbers(follower))

    def test_line_in_work(self):
        """Read a line when it is whole."""
        self.path.write_bytes(b'1\n2')
        follower = Follower(self.path)
        self.assertEqual([1], self.numbers(follower))
        with self.path.open('ab') as stream:
            stream.write(b'3\n')
        self.assertEqual([23], self.numbers(follower))

    def test_too_long(self):
        """Yield None for an endless line, once, and go on."""
        self.path.write_bytes(b'1\n' + b'2' * (reader.LINE_BYTES + 9))
        follower = Follower(self.path)
        self.assertEqual([b'1\n'], list(follower.lines()))
        with self.path.open('ab') as stream:
            stream.write(b'2\n3\n')
        self.assertEqual([None, b'3\n'], list(follower.lines()))
