"""Run nova-ext-builder as a process."""

from pathlib import Path

import fixtures

from nova_ext.zones.tables import leases
from tests.unit.cmd import processes
from tests.unit.database.databases import make_database
from tests.unit.zones.tables.test_leases import add_build


class BuilderTest(processes.ProcessTestCase):
    """Carry out from its start to its end."""

    module = 'nova_ext.zones.cmd.builder'

    def setUp(self):
        """Name a database with a build whose zone is not there."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.conf = folder / 'nova.conf'
        url = f'sqlite:///{folder}/d'
        self.conf.write_text(
            f'[nova_ext_database]\nconnection = {url}\n'
            '[nova_ext_builds]\npoll_interval_s = 1\n'
        )
        self.database = make_database(folder / 'd')

    def read(self):
        """Return the build."""
        with self.database.reading() as session:
            return leases.read(session, 'b')[0]

    def test_ends(self):
        """A build without a way to its zone fails, and says why."""
        add_build(self.database, 'b', via=['nowhere'], child_uuid='nowhere')
        with self.started('--config-file', str(self.conf)) as process:
            self.wait_for(lambda: self.read().state == 'failed')
            self.end(process)
        self.assertIn('no_zone', self.read().message)

    def test_configuration(self):
        """Fail in one line where it can't start."""
        for text, words in (
            ('[nova_ext_database]\n', 'no database is configured'),
            ('nonsense secret\n', 'can\'t be read'),
        ):
            self.conf.write_text(text)
            with self.started('--config-file', str(self.conf)) as process:
                out, err = process.communicate(
                    timeout=3 * processes.DEADLINE_S
                )
            self.assertEqual(('', 1), (out, process.returncode), err)
            self.assertRegex(err, f'^nova-ext-builder: [^\n]*{words}')
            self.assertEqual(1, err.count('\n'), err)
