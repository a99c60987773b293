"""Store what shadows have written, as their files are."""

import datetime
import json
import os

import fixtures

from nova_ext.decisions import queries, shadow_reports
from nova_ext.decisions.shadow_reports import ShadowReportShipper
from tests.unit.core.explanation import shadow_samples as samples
from tests.unit.decisions.test_queries import DatabaseTestCase


class ShadowReportsTest(DatabaseTestCase):
    """A folder of a journal with reports of shadows."""

    def setUp(self):
        """Look at once."""
        super().setUp()
        self.patch(shadow_reports, 'LOOK_S', 0.0)
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.journal = self.folder / 'journal'
        self.shipper = ShadowReportShipper(self.journal, 'ctl')

    def write(self, name='shadow.json', text=None, **fields):
        """Write a file of a shadow."""
        self.journal.mkdir(exist_ok=True)
        path = self.journal / name
        path.write_text(samples.text(**fields) if text is None else text)
        return path

    def find(self, host=''):
        """Ship; return hosts, files and requests of what is stored."""
        self.shipper.ship(self.database)
        with self.database.reading() as session:
            return [
                (each['host'], each['file'], each['requests'])
                for each in shadow_reports.find(session, host)
            ]

    def test_replaced(self):
        """The newest report of each file is there, and no other."""
        self.assertEqual([], self.find())
        self.write()
        other = self.write('b.json')
        self.assertEqual(
            [('ctl', 'b.json', 2), ('ctl', 'shadow.json', 2)], self.find()
        )
        self.write(transitions={'same': 7})
        other.unlink()
        self.assertEqual([('ctl', 'shadow.json', 7)], self.find())
        other = ShadowReportShipper(self.journal, 'other')
        other.ship(self.database)
        self.assertEqual([('other', 'shadow.json', 7)], self.find('other'))
        self.assertEqual(2, len(self.find()))
        # A shipper that starts again knows nothing of what it had stored.
        (self.journal / 'shadow.json').unlink()
        self.shipper = ShadowReportShipper(self.journal, 'ctl')
        self.assertEqual([('other', 'shadow.json', 7)], self.find())

    def test_hidden(self):
        """What concerns the shadow alone stays in its file."""
        self.write()
        self.find()
        with self.database.reading() as session:
            report, = shadow_reports.find(session)
        self.assertNotIn('hidden', json.dumps(report))
        self.assertIn('moved 1', report['sentence'])

    def test_others(self):
        """What is no report is warned of once, and the rest is stored."""
        self.write()
        self.write('x.json', '{"version": 1}')
        self.write('y.json').write_bytes(b'\xff')
        (self.journal / 'z.json').mkdir()
        os.mkfifo(self.journal / 'pipe.json')
        for requests in (2, 9):
            self.write(transitions={'same': requests})
            self.assertEqual([('ctl', 'shadow.json', requests)], self.find())
        for name, why in (
            ('x', 'no shadow wrote it'), ('y', 'no shadow wrote it'),
            ('z', 'it is no file'), ('pipe', 'it is no file'),
        ):
            self.assertEqual(
                1, self.log.output.count(f'{name}.json is not stored: {why}')
            )
        self.patch(shadow_reports, 'MAX_BYTES', 10)
        self.write(transitions={'same': 3})
        self.assertEqual([], self.find())
        self.assertIn('it is too large', self.log.output)

    def test_seldom(self):
        """Look at the files now and then, and write what has changed."""
        self.write()
        self.find()
        self.execute('DELETE FROM shadow_reports')
        self.assertEqual([], self.find())
        self.patch(shadow_reports, 'LOOK_S', 1000.0)
        self.write(transitions={'same': 3})
        self.assertEqual([], self.find())
        self.patch(shadow_reports, 'LOOK_S', 0.0)
        self.assertEqual([('ctl', 'shadow.json', 3)], self.find())

    def test_refused(self):
        """What the database refuses is warned of, and keeps nobody."""
        self.execute(
            "CREATE TRIGGER t BEFORE INSERT ON shadow_reports "
            "BEGIN SELECT RAISE(ABORT, 'no good'); END"
        )
        self.write()
        for _ in range(2):
            self.assertEqual([], self.find())
        self.assertEqual(1, self.log.output.count('are not stored: the'))
        self.assertIn('no good', self.log.output)

    def test_purge(self):
        """Old reports go with old decisions."""
        self.write()
        self.find()
        at = datetime.datetime.fromisoformat(samples.AT)
        for before, count in ((at, 0), (at + datetime.timedelta(1), 1)):
            with self.database.writing() as session:
                self.assertEqual(count, queries.purge(session, before))
