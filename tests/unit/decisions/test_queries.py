"""Test decisions in the database."""

import dataclasses
import datetime
import threading

import fixtures
import sqlalchemy as sa

from nova_ext.core.decision import decision as d
from nova_ext.database.database import Database, DatabaseError
from nova_ext.decisions import bodies, queries, shipper
from nova_ext.record import diagnoses, drops
from nova_ext.record.tail import Place
from tests.unit.record import samples
from tests.unit.record.samples import failure_line as line

OTHER = '22222222-2222-2222-2222-222222222222'


def at(second):
    """Return a time."""
    return f'2026-11-21T12:00:{second:02}.000Z'


class DatabaseTestCase(samples.RecordTestCase):
    """Have a database of its own."""

    def setUp(self):
        """Create this release's schema."""
        super().setUp()
        self.database = Database(f'sqlite:///{self.folder}/d.sqlite')
        self.database.sync()

    def ship(self, *lines, host='ctl'):
        """Store lines."""
        with self.database.writing() as session:
            return queries.ship(session, host, lines, Place('f', 7))

    def execute(self, *statements):
        """Change the database."""
        with self.database.writing() as session:
            for statement in statements:
                session.execute(sa.text(statement))

    def listed(self, **wanted):
        """Return the times of the decisions that match."""
        with self.database.reading() as session:
            return [
                row.at for row in queries.find(session, **wanted)
            ]


class _Outage(threading.Event):
    """End a shipper; repair the database after three tries."""

    def __init__(self, repair):
        super().__init__()
        self.waits = []
        self._repair = repair

    def wait(self, timeout=None):
        """Note the pause; end the shipper when it has shipped all."""
        self.waits.append(timeout)
        if len(self.waits) == 3:
            self._repair()
        if timeout == shipper.LOOK_S:
            self.set()


class DecisionsTest(DatabaseTestCase):
    """Store each line once."""

    def test_once(self):
        """Store a line once that comes twice, from one host or two."""
        lines = [line(at=at(1)), line(at=at(2)), line(at=at(1))]
        self.assertEqual(2, self.ship(*lines))
        self.assertEqual(0, self.ship(*lines, host='other'))
        self.assertEqual([at(2), at(1)], self.listed())

    def test_clock_set_back(self):
        """One scheduler's own order holds; among two their times decide."""
        self.ship(line(at=at(50), by={'host': 'a'}))
        self.ship(
            line(at='2026-11-21T14:00:00.000Z', by={'host': 'b'}),
            line(at='2026-11-21T11:59:00.000Z', by={'host': 'b'}),
        )
        self.ship(line(at=at(20), by={'host': 'a'}))
        with self.database.reading() as session:
            rows, notes = queries.find_in_order(session)
            self.assertEqual(
                ['12:00:50', '12:00:20', '11:59:00', '14:00:00'],
                [row.at[11:19] for row in rows],
            )
        self.assertEqual(1, len(notes))

    def test_what_is_no_decision(self):
        """Count dropped decisions, and leave out garbage."""
        self.assertEqual(0, self.ship(
            drops.encode_drops(3), None, b'{"version":1}\n', b'\xff\n',
            b'{"version":1,"at":"x","asked_again":7}\n',
            drops.encode_drops(4),
        ))
        with self.database.reading() as session:
            shipped = session.get(queries.Shipped, 'ctl')
            self.assertEqual(
                ('f', 7, 7), (shipped.file, shipped.offset, shipped.dropped)
            )
            self.assertEqual(7, queries.count_dropped(session))

    def test_overlong(self):
        """Cut names to their columns, and keep the decision whole."""
        self.ship(line(request_id='r' * 1000, project_id='p' * 1000))
        with self.database.reading() as session:
            row, = queries.find(session)
            self.assertEqual((64, 64), (
                len(row.request_id), len(row.project_id)
            ))
            decision = bodies.load(session, row)
            self.assertEqual('r' * 1000, decision.request_id)

    def test_surrogates(self):
        """Store U+FFFD for what can't be encoded, and load it."""
        bad, text = 'x-\ud800', 'x-\ufffd'
        self.ship(
            line(
                at=at(1), server=bad, request_id=bad, project_id=bad,
                outcome=bad, message='\U0001f600', by={'host': bad},
            ),
            line(at=at(2), request_id='{}').replace(b'{}', b'\xed\xa0\x80'),
            diagnoses.to_line(d.PlacementDiagnosis(at(1), 'q{}')).replace(
                b'{}', b'\xed\xa0\x80'
            ),
        )
        self.assertEqual([at(1)], self.listed(server=text, request=text))
        with self.database.reading() as session:
            other, row = queries.find(session)
            self.assertEqual('\ufffd', other.request_id)
            self.assertEqual('\ufffd', bodies.load(session, other).request_id)
            self.assertEqual(
                (text, text, text),
                (row.project_id, row.outcome, row.scheduler),
            )
            decision = bodies.load(session, row)
            self.assertEqual(([text], text, '\U0001f600'), (
                decision.servers, decision.request_id, decision.message
            ))

    def test_collation(self):
        """Store servers once that the database takes for the same."""
        self.execute(
            'DROP TABLE decision_servers',
            'CREATE TABLE decision_servers (decision_id INTEGER, '
            'uuid VARCHAR(64) COLLATE NOCASE, PRIMARY KEY (decision_id, uuid))'
        )
        self.ship(line(at=at(1), servers=['A', 'a', 'b', 'a ', '\xe4']))
        for server in 'a', 'A', 'b':
            self.assertEqual([at(1)], self.listed(server=server))

    def test_found(self):
        """Find by server, request, project and outcome; in pages."""
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
            self.assertEqual(3, queries.count(
                session, outcome=d.NO_VALID_HOST
            ))
            self.assertEqual(0, queries.count_dropped(session))
            while page := queries.find(session, before=marker, limit=1):
                seen.append(page[0].at)
                marker = page[0].id
        self.assertEqual([at(3), at(3), at(2), at(1)], seen)

    def test_finding(self):
        """Load a decision with its diagnosis."""
        query = 'limit=5&resources=VCPU%3A1'
        found = d.PlacementDiagnosis(
            at(5), query, 'ctl-1', 'x', left_out=[d.LeftOut(['lacks VCPU'], 3)]
        )
        self.ship(
            line(
                at=at(3), placement=d.Placement(query, 0, offered='x'),
                attempts=[], by={'mode': 'scheduler', 'host': 'ctl-1'},
                absent=d.Rejection('no candidate', 3), seconds=1.0,
            ), *(
                diagnoses.to_line(dataclasses.replace(found, **fields))
                for fields in ({}, {'at': at(2)}, {'at': at(6)}, {
                    'at': at(4), 'query': 'limit=5&resources=VCPU%3A2',
                })
            ),
        )
        with self.database.reading() as session:
            row, = queries.find(session)
            self.assertEqual(
                dataclasses.replace(found, after_s=1.0),
                bodies.load(session, row).asked_again,
            )

    def test_time_that_is_none(self):
        """Load a decision without a valid time, and no diagnosis."""
        self.ship(line(
            at='once', attempts=[], placement=d.Placement('q', 0)
        ))
        with self.database.reading() as session:
            row, = queries.find(session)
            self.assertEqual('once', bodies.load(session, row).at)

    def test_purge(self):
        """Delete what is old, with all that belongs to it."""
        self.ship(
            *(line(at=at(second)) for second in range(4)),
            diagnoses.to_line(d.PlacementDiagnosis(at(1), 'q')),
        )
        with self.database.writing() as session:
            self.assertEqual(3, queries.purge(
                session, datetime.datetime.fromisoformat(at(2))
            ))
        self.assertEqual([at(3), at(2)], self.listed())
        with self.database.reading() as session:
            self.assertEqual(
                2, session.query(queries.Server).count()
            )


class ShipperTest(DatabaseTestCase):
    """Ship a record."""

    def test_through_an_outage(self):
        """Lose nothing and repeat nothing, whoever fails in between."""
        self.assertEqual(0, shipper.ship(self.path, 'ctl', self.database))
        for second in range(3):
            with self.path.open('ab') as stream:
                stream.write(line(at=at(second)))
            shipper.ship(self.path, 'ctl', self.database)
        away = Database(f'sqlite:///{self.folder}/none/d.sqlite')
        self.assertRaises(DatabaseError, shipper.ship, self.path, 'ctl', away)
        with self.path.open('ab') as stream:
            stream.writelines(
                line(at=at(second)) for second in range(3, 6)
            )
        self.assertEqual(3, shipper.ship(self.path, 'ctl', self.database))
        self.assertEqual(0, shipper.ship(self.path, 'ctl', self.database))
        self.assertEqual(
            [at(second) for second in range(5, -1, -1)], self.listed()
        )

    def test_refused(self):
        """Skip and count what the database refuses, and that alone."""
        self.execute(
            'CREATE TRIGGER t BEFORE INSERT ON decisions '
            'WHEN NEW.request_id LIKE \'bad%\' '
            'BEGIN SELECT RAISE(ABORT, \'no good\'); END'
        )
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.path.write_bytes(b''.join(
            line(at=at(second), request_id=name)
            for second, name in enumerate(('a', 'bad', 'b', 'bad-2', 'c'))
        ))
        self.assertEqual(5, shipper.ship(self.path, 'ctl', self.database))
        self.assertEqual([at(4), at(2), at(0)], self.listed())
        for second in 0, 2, 4:
            self.assertEqual([at(second)], self.listed(
                server=samples.SERVER, request='abc'[second // 2]
            ))
        self.assertIn('2 lines of the record skipped', log.output)
        self.assertIn('no good', log.output)
        self.assertEqual(0, shipper.ship(self.path, 'ctl', self.database))

    def test_disk_full(self):
        """Skip nothing where there is no room."""
        engine = self.database._facade.writer.get_engine()

        def limit(connection, _):
            connection.execute('PRAGMA max_page_count = 1')  # as many as now

        engine.dispose()
        sa.event.listen(engine, 'connect', limit)
        self.path.write_bytes(line(at=at(1), message='x' * 20000))
        error = self.assertRaises(
            DatabaseError, shipper.ship, self.path, 'ctl', self.database
        )
        self.assertIn('full', str(error))
        sa.event.remove(engine, 'connect', limit)
        engine.dispose()
        self.assertEqual(1, shipper.ship(self.path, 'ctl', self.database))
        self.assertEqual([at(1)], self.listed())

    def test_long_lines(self):
        """A transaction ends where it is too much for a server."""
        self.patch(shipper, 'BYTES', 1)
        self.path.write_bytes(line(at=at(1)) + line(at=at(2)))
        for left in 1, 1, 0:
            self.assertEqual(left, shipper.ship(
                self.path, 'ctl', self.database
            ))

    def test_gone(self):
        """A file that is gone is told of once there is another."""
        self.path.write_bytes(line(at=at(1)))
        shipper.ship(self.path, 'ctl', self.database)
        self.path.unlink()
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        shipper.ship(self.path, 'ctl', self.database)
        self.assertEqual('', log.output)
        self.path.write_bytes(line(at=at(2)))
        shipper.ship(self.path, 'ctl', self.database)
        self.assertIn('was rotated away', log.output)

    def test_run(self):
        """Warn once of an outage, and ship all lines before a pause."""
        self.patch(shipper, 'LINES', 1)
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.path.write_bytes(line(at=at(1)) + line(at=at(2)))
        self.database = Database(f'sqlite:///{self.folder}/new/d.sqlite')

        def repair():
            (self.folder / 'new').mkdir()
            self.database.sync()

        end = _Outage(repair)
        shipper.run(self.path, self.folder, 'ctl', self.database, end)
        self.assertEqual(
            [shipper.RETRY_S] * 3 + [shipper.LOOK_S], end.waits
        )
        self.assertEqual([at(2), at(1)], self.listed())
        for words in ('trying again', 'shipping again'):
            self.assertEqual(1, log.output.count(words))
