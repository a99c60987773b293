"""Run nova-ext-zone-poller as a process."""

from pathlib import Path

import fixtures

from nova_ext.zones import registry
from tests.unit.cmd import processes
from tests.unit.database.databases import make_database


class ZonePollerTest(processes.ProcessTestCase):
    """Poll from its start to its end."""

    module = 'nova_ext.zones.cmd.zone_poller'

    def setUp(self):
        """Name a database with one zone, where nothing listens."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.conf = folder / 'nova.conf'
        url = f'sqlite:///{folder}/d'
        self.conf.write_text(
            f'[nova_ext_database]\nconnection = {url}\n'
            f'[nova_ext_zones]\nzone_clouds_file = {folder}/clouds.yaml\n'
            'interval_s = 1\n'
        )
        (folder / 'clouds.yaml').write_text(
            'clouds: {one: {auth_type: none, auth: {endpoint: http://x}}}\n'
        )
        self.database = make_database(folder / 'd')
        with self.database.writing() as session:
            registry.create_zone(session, {
                'name': 'one', 'url': 'https://127.0.0.1:1', 'cloud': 'one',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False,
            })

    def count_errors(self):
        """Return how many errors came in a row."""
        with self.database.reading() as session:
            zone, = registry.list_zones(session)
            return zone.errors

    def test_polls(self):
        """Poll again and again, until a signal; log an error once."""
        with self.started('--config-file', str(self.conf)) as process:
            self.wait_for(lambda: self.count_errors() >= 2)
            self.assertEqual(
                'WARNING zone one: no connection: Connection refused\n',
                process.stderr.readline(),
            )
            self.end(process)

    def test_without_a_schema(self):
        """Warn once, saying what makes it, and wait for it."""
        database = Path(self.conf.with_name('d'))
        synced = database.rename(database.with_name('synced'))
        with self.started('--config-file', str(self.conf)) as process:
            self.assertEqual(
                'WARNING the database: no such table: own_zone; run '
                '"nova-ext-manage db sync"; trying again\n',
                process.stderr.readline(),
            )
            synced.replace(database)
            self.assertIn('zone one: no connection', process.stderr.readline())
            self.assertEqual(
                'WARNING the database works again\n',
                process.stderr.readline(),
            )
            self.end(process)

    def test_configuration(self):
        """Fail in one line where it can't start."""
        for text, words in (
            ('[nova_ext_database]\n', 'no database is configured'),
            ('[nova_ext_database]\nconnection = sqlite://\n'
             '[nova_ext_zones]\ninterval_s = x\n', 'interval_s'),
            ('nonsense secret\n', 'can\'t be read'),
        ):
            self.conf.write_text(text)
            with self.started('--config-file', str(self.conf)) as process:
                # Most of its time it imports libraries.
                out, err = process.communicate(
                    timeout=3 * processes.DEADLINE_S
                )
            self.assertEqual(('', 1), (out, process.returncode), err)
            self.assertRegex(err, f'^nova-ext-zone-poller: [^\n]*{words}')
            self.assertEqual(1, err.count('\n'), err)
