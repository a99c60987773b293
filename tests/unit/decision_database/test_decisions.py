"""Decisions in and out of the database."""

from pathlib import Path

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.decision_database import decisions, shipper
from nova_ext.decision_database.database import Database, StoreError
from nova_ext.record import findings, shortening, writer
from nova_ext.record.tail import Place
from tests.unit.record import samples

OTHER = '22222222-2222-2222-2222-222222222222'


def at(second):
    """A time."""
    return f'2026-11-21T12:00:{second:02}.000Z'


def line(**fields):
    """A decision as a line."""
    return shortening.to_line(samples.failure(**fields), 65536)


class StoreTestCase(testtools.TestCase):
    """A database of its own."""

    def setUp(self):
        """With this release's schema."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.database = Database(f'sqlite:///{self.folder}/d.sqlite')
        self.database.sync()

    def ship(self, *lines, host='ctl'):
        """Put lines in."""
        with self.database.writing() as session:
            return decisions.ship(session, host, lines, Place('f', 7))

    def listed(self, **wanted):
        """Times of the decisions that match."""
        with self.database.reading() as session:
            return [
                row.at for row in decisions.listed(session, **wanted)
            ]


class DecisionsTest(StoreTestCase):
    """Each line is stored once."""

    def test_once(self):
        """A line that comes twice, from one host or two."""
        lines = [line(at=at(1)), line(at=at(2)), line(at=at(1))]
        self.assertEqual(2, self.ship(*lines))
        self.assertEqual(0, self.ship(*lines, host='other'))
        self.assertEqual([at(2), at(1)], self.listed())

    def test_what_is_no_decision(self):
        """Dropped ones are counted, garbage is left out."""
        self.assertEqual(0, self.ship(
            writer.dropped_line(3), None, b'{"version":1}\n', b'\xff\n',
            b'{"version":1,"at":"x","asked_again":7}\n',
            writer.dropped_line(4),
        ))
        with self.database.reading() as session:
            shipped = session.get(decisions.Shipped, 'ctl')
            self.assertEqual(
                ('f', 7, 7), (shipped.file, shipped.offset, shipped.dropped)
            )

    def test_overlong(self):
        """Names are cut to their columns; the decision is whole."""
        self.ship(line(request_id='r' * 1000, project_id='p' * 1000))
        with self.database.reading() as session:
            row, = decisions.listed(session)
            self.assertEqual((64, 64), (
                len(row.request_id), len(row.project_id)
            ))
            made = decisions.read(session, row)
            self.assertEqual('r' * 1000, made.request_id)

    def test_found(self):
        """By server, request, project and outcome; in pages."""
        self.ship(
            line(at=at(1), server=OTHER, project_id='p'),
            line(at=at(2), request_id='req-2'),
            line(at=at(3), outcome=d.FAILED),
            line(at=at(3)),
        )
        self.assertEqual([at(1)], self.listed(server=OTHER))
        self.assertEqual([at(2)], self.listed(request='req-2'))
        self.assertEqual([at(1)], self.listed(project='p'))
        self.assertEqual([at(3)], self.listed(outcome=d.FAILED))
        seen, marker = [], 0
        with self.database.reading() as session:
            while page := decisions.listed(session, before=marker, limit=1):
                seen.append(page[0].at)
                marker = page[0].id
        self.assertEqual([at(3), at(3), at(2), at(1)], seen)

    def test_finding(self):
        """What placement answered later is told with its decision."""
        found = d.AskedAgain(at(5), 'resources=VCPU%3A1', True)
        self.ship(
            line(placement=d.Placement('resources=VCPU%3A1', 0),
                 attempts=[]),
            findings.line(found),
            findings.line(d.AskedAgain(at(4), 'resources=VCPU%3A2')),
            findings.line(d.AskedAgain(
                at(4), 'resources=VCPU%3A1', candidates=0
            )),
        )
        with self.database.reading() as session:
            row, = decisions.listed(session)
            self.assertEqual(found, decisions.read(session, row).asked_again)

    def test_time_that_is_none(self):
        """Nothing is found about such a decision, and it can be read."""
        self.ship(line(
            at='once', attempts=[], placement=d.Placement('q', 0)
        ))
        with self.database.reading() as session:
            row, = decisions.listed(session)
            self.assertEqual('once', decisions.read(session, row).at)

    def test_purge(self):
        """What is old goes, with all that belongs to it."""
        self.ship(
            *(line(at=at(second)) for second in range(4)),
            findings.line(d.AskedAgain(at(1), 'q')),
        )
        with self.database.writing() as session:
            self.assertEqual(3, decisions.purge(session, at(2)))
        self.assertEqual([at(3), at(2)], self.listed())
        with self.database.reading() as session:
            self.assertEqual(
                2, session.query(decisions.Server).count()
            )


class ShipperTest(StoreTestCase):
    """From a record."""

    def test_through_an_outage(self):
        """Nothing is lost or stored twice, whoever fails in between."""
        record = self.folder / 'record'
        self.assertEqual(0, shipper.ship(record, 'ctl', self.database))
        for second in range(3):
            with record.open('ab') as stream:
                stream.write(line(at=at(second)))
            shipper.ship(record, 'ctl', self.database)
        away = Database(f'sqlite:///{self.folder}/none/d.sqlite')
        self.assertRaises(StoreError, shipper.ship, record, 'ctl', away)
        with record.open('ab') as stream:
            stream.writelines(
                line(at=at(second)) for second in range(3, 6)
            )
        self.assertEqual(3, shipper.ship(record, 'ctl', self.database))
        self.assertEqual(0, shipper.ship(record, 'ctl', self.database))
        self.assertEqual(
            [at(second) for second in range(5, -1, -1)], self.listed()
        )
