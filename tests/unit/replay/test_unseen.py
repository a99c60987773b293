"""Requests of Nova's log that no journal has."""

from dataclasses import replace
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.replay import unseen
from tests.unit.journal import samples
from tests.unit.replay import journals

_LINE = (
    '2026-01-31 08:00:0{}.000 7 {} nova.scheduler.manager [None '
    'req-{}2345678-1234-1234-1234-123456789012 admin admin] {}\n'
)
_CAME = 'Starting to schedule for instances: [\'x\']'
_NONE = (
    'Got no allocation candidates from the Placement API. This could be due '
    'to insufficient resources or a temporary occurrence as compute nodes '
    'start up.'
)


class UnseenTest(testtools.TestCase):
    """Two logs, and a journal of one request."""

    def setUp(self):
        """Have a folder."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def write(self, name, *lines):
        """Write a log; return its path."""
        path = self.folder / name
        path.write_text(''.join(
            _LINE.format(number, level, request, message)
            for number, (level, request, message) in enumerate(lines)
        ))
        return path

    def test_count(self):
        """Each request is counted once, and those of the journal are not."""
        writer = samples.make_writer(self.folder)
        decision = journals.make_decision(1)
        writer.write(replace(decision, body={
            **decision.body,
            'request_id': 'req-12345678-1234-1234-1234-123456789012',
        }))
        writer.close()
        said = unseen.count([
            self.write(
                'one.log', ('DEBUG', 1, _CAME), ('DEBUG', 2, _CAME),
                ('INFO', 2, _NONE), ('INFO', 3, 'Something else'),
            ), self.write(
                'two.log', ('INFO', 2, _NONE), ('DEBUG', 4, _CAME),
                ('INFO', 5, _NONE),
            ),
        ], [self.folder])
        self.assertEqual(unseen.UnseenRequests(2, 1), said)
        self.assertEqual(
            'not in the journal, by the log: 3 requests: 2 without '
            'allocation candidates, 1 otherwise, as for a forced host',
            said.describe(),
        )

    def test_damaged_journal(self):
        """A journal that can't be read has no request; INFO has not all."""
        (self.folder / 'x.journal').write_text('x')
        said = unseen.count(
            [self.write('one.log', ('INFO', 2, _NONE))], [self.folder]
        )
        self.assertEqual(unseen.UnseenRequests(1, None), said)
        self.assertIn('others are not known', said.describe())

    def test_no_log(self):
        """A log that is not there is an error of one line."""
        error = self.assertRaises(
            NovaExtError, unseen.count, [Path('/none.log')], []
        )
        self.assertIn('/none.log can\'t be read: No such file', str(error))
