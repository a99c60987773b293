"""Test how much is read of what is stored of decisions."""

import sqlalchemy as sa

from nova_ext.core.decision import decision as d
from nova_ext.decisions import bodies, queries
from tests.unit.decisions.test_queries import DatabaseTestCase, at
from tests.unit.record.samples import failure_line as line

GROUP = '99999999-2222-2222-2222-222222222222'


class BodiesTest(DatabaseTestCase):
    """Read bodies one after the other."""

    def setUp(self):
        """Count the bodies that each statement reads."""
        super().setUp()
        self.portions = []
        read = bodies._read_bodies

        def note(session, kind, ids):
            for number, body in read(session, kind, ids):
                self.portions.append(len(body))
                yield number, body

        self.patch(bodies, '_read_bodies', note)

    def test_listed(self):
        """Read no body where decisions are found."""
        self.ship(line(at=at(1)), line(at=at(2)))
        with self.database.reading() as session:
            for rows in (
                queries.find(session), queries.find_in_order(session)[0],
            ):
                self.assertEqual(2, len(rows))
                for row in rows:
                    self.assertIn('body', sa.inspect(row).unloaded)

    def test_limit(self):
        """Stop after enough bytes, and not before the first body."""
        self.ship(*(line(at=at(second)) for second in range(20)))
        for most, count in ((1, 1), (len(line(at=at(1))) * 10, 10)):
            self.patch(bodies, 'MAX_BYTES', most)
            with self.database.reading() as session:
                rows = queries.find(session)
                self.assertEqual(
                    [row.id for row in rows[:count]],
                    [number for number, _ in bodies.read(session, rows)],
                )

    def test_portions(self):
        """Have few bodies in memory at a time."""
        self.ship(*(
            line(at=at(second), operation='first boot')
            for second in range(20)
        ))
        parameters = []
        engine = self.database._facade.reader.get_engine()
        sa.event.listen(
            engine, 'before_cursor_execute',
            lambda _, __, statement, values, *___:
            '.body' in statement and parameters.append(len(values)),
        )
        with self.database.reading() as session:
            rows = queries.find(session)
            self.assertEqual(20, len(list(bodies.read(session, rows))))
        self.assertEqual([8, 8, 4], parameters)

    def test_boots(self):
        """Read no other decision of a boot's request."""
        self.ship(*(
            line(
                at=at(second), operation='first boot', request_id='req',
                request={'ignore_hosts': ['a', 'b']},
            ) for second in range(9)
        ))
        with self.database.reading() as session:
            bodies.load(session, queries.find(session)[0])
        self.assertEqual([], self.portions)

    def test_refused(self):
        """Find what refused a host on another page, too."""
        moved = {
            'operation': 'move', 'request_id': 'req', 'server': 's',
            'outcome': d.PLACED, 'chosen': {'s': ['cmp-2']},
        }
        self.ship(
            line(at=at(1), request={'ignore_hosts': ['cmp-1']}, **moved),
            line(at=at(2), **{
                **moved, 'chosen': {'s': ['cmp-3']},
                'request': {'ignore_hosts': ['cmp-1', 'cmp-2']},
            }),
        )
        with self.database.reading() as session:
            refused = {}
            for row in queries.find(session):
                (_, decision), = bodies.read(session, [row])
                refused[decision.at] = decision.refused_later
        self.assertEqual({at(1): True, at(2): False}, refused)

    def test_group(self):
        """Say how many members of a group were read."""
        member = {'request': {'hints': {'group': GROUP}}}
        self.ship(*(line(at=at(second), **member) for second in range(4)))
        with self.database.reading() as session:
            decision = bodies.load(session, queries.find(session)[0])
            members, remark = bodies.list_group(session, decision)
            self.assertEqual((4, ''), (len(members), remark))
            self.patch(bodies, 'MAX_BYTES', 1)
            members, remark = bodies.list_group(session, decision)
        self.assertEqual(
            (1, '1 of 4 decisions on the group were read'),
            (len(members), remark),
        )
