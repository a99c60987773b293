"""Test reading nova-scheduler's files as text."""

import pathlib

import fixtures
import testtools

from nova_ext.core.base import errors
from nova_ext.doctor import configuration


class ConfigurationTest(testtools.TestCase):
    """Read files of a folder."""

    def setUp(self):
        """Create the folder."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)

    def write(self, name, text):
        """Write a file; return its path."""
        path = self.folder / name
        path.write_text(text)
        return path

    def test_later_files(self):
        """Take the last value; of a few options take every one."""
        first = self.write(
            'a.conf', '[g]\nx = 1\ny = 3\n[nova_ext]\nscheduler_driver = a\n'
        )
        second = self.write(
            'b.conf', '[g]\nx = 4\n[nova_ext]\nscheduler_driver = b\n'
        )
        self.assertEqual(
            {('g', 'x'): ('4',), ('g', 'y'): ('3',),
             ('nova_ext', 'scheduler_driver'): ('a', 'b')},
            configuration.read([first, second]),
        )

    def test_value(self):
        """Take the last value."""
        path = self.write('a.conf', '[g]\nx = 1\nx = 2\n')
        conf = configuration.Configuration([path])
        self.assertEqual('2', conf.value('g', 'x'))
        self.assertIsNone(conf.value('g', 'y'))
        self.assertIsNone(conf.value('h', 'x'))

    def test_find(self):
        """Return given files, then those of folders, in order."""
        b, a = self.write('b.conf', ''), self.write('a.conf', '')
        self.write('c.txt', '')
        self.assertEqual(
            [pathlib.Path('x'), a, b],
            configuration.find(['x'], [str(self.folder)]),
        )

    def test_default(self):
        """Default to the files that nova-scheduler would find."""
        home = self.folder / '.nova'
        home.mkdir()
        path = home / 'nova.conf'
        path.write_text('')
        self.useFixture(
            fixtures.EnvironmentVariable('HOME', str(self.folder))
        )
        self.assertEqual(path, configuration.find()[0])

    def test_folders_besides(self):
        """Read what nova-scheduler finds before what is named."""
        folder = self.folder / '.nova' / 'nova.conf.d'
        folder.mkdir(parents=True)
        (folder / 'a.conf').touch()
        self.useFixture(
            fixtures.EnvironmentVariable('HOME', str(self.folder))
        )
        self.assertEqual(
            [folder / 'a.conf', pathlib.Path('x')], configuration.find(['x'])
        )

    def test_others(self):
        """Read a file, or a folder of files, for each other scheduler."""
        path = self.write('a.conf', '[g]\nx = 1\n')
        self.write('b.conf', '[g]\nx = 2\n')
        conf = configuration.Configuration(others=[path, self.folder])
        self.assertEqual(
            [('1',), ('2',)],
            [options['g', 'x'] for options in conf.others.values()],
        )

    def test_unreadable(self):
        """Name the file in one line, and show nothing of it."""
        for path, reason in (
            (self.folder / 'none.conf', 'No such file'),
            (self.write('bad.conf', '[g]\npassword hidden\n'), 'bad.conf:2'),
        ):
            error = self.assertRaises(
                errors.NovaExtError, configuration.read, [path]
            )
            self.assertIn(str(path), str(error))
            self.assertIn(reason, str(error))
            self.assertNotIn('\n', str(error))
            self.assertNotIn('hidden', str(error))
