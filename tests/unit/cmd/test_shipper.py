"""Run nova-ext-shipper as a process."""

from functools import partial
from pathlib import Path

import fixtures

from nova_ext.core.explanation import shadow_report
from nova_ext.database.database import Database
from nova_ext.decisions import queries, shadow_reports
from tests.unit.cmd import processes
from tests.unit.core.explanation import shadow_samples
from tests.unit.record import samples


class ShipperTest(processes.ProcessTestCase):
    """Ship from its start to its end."""

    module = 'nova_ext.cmd.shipper'

    def setUp(self):
        """Create a record, and name a database."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.record = folder / 'record'
        self.conf = folder / 'nova.conf'
        url = f'sqlite:///{folder}/d'
        self.database = Database(url)
        self.conf.write_text(
            f'[nova_ext_record]\nfile = {self.record}\n'
            f'[nova_ext_database]\nconnection = {url}\n'
            f'[nova_ext_journal]\ndirectory = {folder}\n'
        )

    def append(self, *numbers):
        """Append decisions of requests with these numbers."""
        with self.record.open('ab') as stream:
            for number in numbers or (0,):
                stream.write(samples.failure_line(request_id=f'req-{number}'))

    def count(self):
        """Count the stored decisions."""
        with self.database.reading() as session:
            return len(queries.find(session))

    def test_ships(self):
        """Ship what was recorded before and meanwhile."""
        self.database.sync()
        self.append()
        with self.started('--config-file', str(self.conf)) as process:
            self.wait_for(lambda: self.count() == 1)
            self.end(process)

    def test_shadow(self):
        """Ship what a shadow has written beside the journal."""
        self.database.sync()
        path = self.conf.with_name(shadow_report.FILE)
        path.write_text(shadow_samples.text())
        with self.started(
            '--config-file', str(self.conf), '--host', 'ctl-7'
        ) as process:
            self.wait_for(lambda: self.list_reports() == ['ctl-7'])
            self.end(process)

    def list_reports(self):
        """List the hosts of the stored reports."""
        with self.database.reading() as session:
            return [each['host'] for each in shadow_reports.find(session)]

    def test_killed(self):
        """Ship each decision once, whenever it is killed."""
        self.database.sync()
        for number in range(2):
            self.append(*range(number * 300, (number + 1) * 300))
            with self.started('--config-file', str(self.conf)) as process:
                self.wait_for(partial(self.has_more, self.count_all()))
                process.kill()
                process.wait()
            self.assertLessEqual(self.count_all(), (number + 1) * 300)
        # One more, so that what is ended is known to have begun.
        self.append(600)
        with self.started('--config-file', str(self.conf)) as process:
            self.wait_for(lambda: self.count_all() > 600)
            self.end(process)
        self.assertEqual(601, self.count_all())

    def has_more(self, count):
        """Say whether there are more decisions than that."""
        return self.count_all() > count

    def count_all(self):
        """Count all decisions."""
        with self.database.reading() as session:
            return queries.count(session)

    def test_without_a_schema(self):
        """Warn once of a missing schema, and wait."""
        self.append()
        with self.started('--config-file', str(self.conf)) as process:
            self.assertEqual(
                'WARNING the database: no such table: shipped; run '
                '"nova-ext-manage db sync"; trying again every 10 s\n',
                process.stderr.readline(),
            )
            self.end(process)
