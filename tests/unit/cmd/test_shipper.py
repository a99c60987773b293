"""nova-ext-shipper, as a process."""

from pathlib import Path

import fixtures

from nova_ext.decision_database import decisions
from nova_ext.decision_database.database import Database
from nova_ext.record import shortening
from tests.unit.cmd import processes
from tests.unit.record import samples


class ShipperTest(processes.ProcessTestCase):
    """Ships from its start to its end."""

    module = 'shipper'

    def setUp(self):
        """A record, and a configuration with a database."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.record = folder / 'record'
        self.conf = folder / 'nova.conf'
        url = f'sqlite:///{folder}/d'
        self.database = Database(url)
        self.conf.write_text(
            f'[nova_ext_record]\nfile = {self.record}\n'
            f'[nova_ext_database]\nconnection = {url}\n'
        )

    def append(self):
        """One more decision."""
        with self.record.open('ab') as stream:
            stream.write(shortening.to_line(samples.failure(), 65536))

    def count(self):
        """How many are stored."""
        with self.database.reading() as session:
            return len(decisions.listed(session))

    def test_ships(self):
        """What was recorded before and meanwhile."""
        self.database.sync()
        self.append()
        with self.started('--config-file', str(self.conf)) as process:
            self.wait_for(lambda: self.count() == 1)
            self.end(process)

    def test_without_a_schema(self):
        """It says so once, and waits."""
        self.append()
        with self.started('--config-file', str(self.conf)) as process:
            self.assertEqual(
                'WARNING the database: no such table: shipped; trying again '
                'every 10 s\n', process.stderr.readline(),
            )
            self.end(process)
