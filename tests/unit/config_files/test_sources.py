"""Which files are read."""

import pathlib

import fixtures

from nova_ext.config_files import sources
from nova_ext.core.base import errors
from tests.unit.lint import base


class TestRead(base.LintTestCase):
    """Files, folders, and those that nova-scheduler finds by itself."""

    def read(self, *given, **options):
        """The names of the files that were read, in their order."""
        found = sources.read(given, **options)
        return [
            str(pathlib.Path(layer.path).relative_to(self.folder))
            for layer in found.configuration.layers
        ]

    def test_default(self):
        """Without arguments: what oslo.config finds for nova-scheduler."""
        self.write('.nova/nova.conf', '')
        self.write('.nova/nova-scheduler.conf', '')
        self.write('.nova/nova.conf.d/1.conf', '')
        self.useFixture(
            fixtures.EnvironmentVariable('HOME', str(self.folder))
        )
        self.assertEqual(
            ['.nova/nova.conf', '.nova/nova-scheduler.conf',
             '.nova/nova.conf.d/1.conf'], self.read(),
        )

    def test_none(self):
        """An empty folder is no configuration."""
        empty = self.folder / 'empty'
        empty.mkdir()
        error = self.assertRaises(
            errors.NovaExtError, sources.read, [(sources.FOLDER, str(empty))]
        )
        self.assertIn('--config-file', str(error))

    def test_absent(self):
        """A file and a folder that are not there."""
        for kind in (sources.FILE, sources.FOLDER):
            path = str(self.folder / 'absent')
            error = self.assertRaises(
                errors.NovaExtError, sources.read, [(kind, path)]
            )
            self.assertIn(path, str(error))

    def test_kolla(self):
        """kolla-ansible's order; a host's file where the host is named."""
        for name in ('nova/web-1/nova.conf', 'nova/nova-scheduler.conf',
                     'nova/nova-api.conf', 'nova.conf', 'global.conf'):
            self.write(name, '')
        given = (sources.FOLDER, str(self.folder))
        common = ['global.conf', 'nova.conf', 'nova/nova-scheduler.conf']
        self.assertEqual(common, self.read(given, layout='kolla'))
        self.assertEqual(
            [*common, 'nova/web-1/nova.conf'],
            self.read(given, layout='kolla', host='web-1'),
        )

    def test_no_secret(self):
        """A line that can't be read is not quoted: it may hold a password."""
        path = self.write('nova.conf', '[database]\nconnection s3cr3t')
        found = sources.read([(sources.FILE, path)])
        self.assertEqual(2, found.unreadable[0].place.line)
        self.assertNotIn('s3cr3t', found.unreadable[0].problem)
