"""Test which files are read."""

import pathlib

import fixtures

from nova_ext.config_files import sources
from nova_ext.core.base import errors
from tests.unit.lint import base


class TestRead(base.LintTestCase):
    """Test files, folders, and those that nova-scheduler finds itself."""

    def read(self, *paths, **options):
        """Return the names of the files that were read, in order."""
        result = sources.read(paths, **options)
        return [
            str(pathlib.Path(layer.path).relative_to(self.folder))
            for layer in result.configuration.layers
        ]

    def test_default(self):
        """Read what oslo.config finds for nova-scheduler."""
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
        """Refuse an empty folder."""
        empty = self.folder / 'empty'
        empty.mkdir()
        error = self.assertRaises(
            errors.NovaExtError, sources.read, [(sources.FOLDER, str(empty))]
        )
        self.assertIn(f'in {empty}', str(error))

    def test_absent(self):
        """Refuse a file and a folder that are not there."""
        for kind in (sources.FILE, sources.FOLDER):
            path = str(self.folder / 'absent')
            error = self.assertRaises(
                errors.NovaExtError, sources.read, [(kind, path)]
            )
            self.assertIn(path, str(error))

    def test_wrong_kind(self):
        """Refuse a folder for a file, and a file for a folder."""
        path = self.write('nova.conf', '')
        for kind, named, words in (
            (sources.FILE, str(self.folder), 'is a folder'),
            (sources.FOLDER, path, 'is no folder'),
        ):
            error = self.assertRaises(
                errors.NovaExtError, sources.read, [(kind, named)]
            )
            self.assertIn(words, str(error))

    def test_kolla(self):
        """Read in kolla-ansible's order; a host's file where it is named."""
        for name in ('nova/web-1/nova.conf', 'nova/nova-scheduler.conf',
                     'nova/nova-api.conf', 'nova.conf', 'global.conf'):
            self.write(name, '')
        folder = (sources.FOLDER, str(self.folder))
        host = str(self.folder / 'nova' / 'web-1' / 'nova.conf')
        common = ['global.conf', 'nova.conf', 'nova/nova-scheduler.conf']
        self.assertEqual(common, self.read(folder, layout='kolla'))
        self.assertEqual(
            [*common, 'nova/web-1/nova.conf'],
            self.read(folder, (sources.FILE, host), layout='kolla'),
        )

    def test_no_secret(self):
        """Quote no line that can't be read: it may hold a password."""
        path = self.write('nova.conf', '[database]\nconnection s3cr3t')
        result = sources.read([(sources.FILE, path)])
        self.assertEqual(2, result.unreadable[0].location.line)
        self.assertNotIn('s3cr3t', result.unreadable[0].problem)
