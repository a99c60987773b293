"""Test where the record is looked for."""

import os
import pathlib

import fixtures
import testtools

from nova_ext.core.base import errors
from nova_ext.record import location


class LocationTest(testtools.TestCase):
    """Find the record as nova-scheduler finds its options."""

    def setUp(self):
        """Be a user without any configuration."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.useFixture(
            fixtures.EnvironmentVariable('HOME', str(self.folder))
        )
        for name in list(os.environ):
            if name.startswith('OS_') and '__' in name:
                self.useFixture(fixtures.EnvironmentVariable(name))

    def write(self, name, text):
        """Write a configuration file."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        return str(path)

    def test_default(self):
        """Default to a file below Nova's own default state_path."""
        self.assertEqual(
            pathlib.Path('/var/lib/nova/nova-ext/decisions.jsonl'),
            location.find_record(),
        )

    def test_default_files(self):
        """Read nova.conf, then nova-scheduler.conf."""
        self.write('.nova/nova.conf', '[DEFAULT]\nstate_path = /state\n')
        self.assertEqual(
            pathlib.Path('/state/nova-ext/decisions.jsonl'),
            location.find_record(),
        )
        self.write('.nova/nova-scheduler.conf',
                   '[nova_ext_record]\nfile = /record\n')
        self.assertEqual(pathlib.Path('/record'), location.find_record())

    def test_given_files(self):
        """Read the files and folders that are named; the later wins."""
        one = self.write('one', '[nova_ext_record]\nfile = /one\n')
        two = self.write('two', '[nova_ext_record]\nfile = /two\n')
        self.write('dir/three.conf', '[nova_ext_record]\nfile = /three\n')
        self.assertEqual(
            pathlib.Path('/two'), location.find_record([one, two])
        )
        self.assertEqual(
            pathlib.Path('/three'),
            location.find_record([one], [str(self.folder / 'dir')]),
        )

    def test_folders_besides(self):
        """Folders that nova-scheduler finds are read, too, and lose."""
        self.write('.nova/nova.conf.d/a.conf',
                   '[DEFAULT]\nstate_path = /folder\n'
                   '[nova_ext_record]\nfile = /folder/record\n')
        one = self.write('one', '[DEFAULT]\nstate_path = /one\n')
        two = self.write('two', '[nova_ext_record]\nfile = /two\n')
        for given, found in (
            ([one], '/folder/record'), ([two], '/two'),
        ):
            self.assertEqual(
                pathlib.Path(found), location.find_record(given)
            )
        for options, state in (
            ({}, '/one'), ({'alone': True}, '/one'),
        ):
            conf = location.load_configuration([one], **options)
            self.assertEqual(state, conf.state_path)
            self.assertEqual(
                not options, conf.nova_ext_record.file == '/folder/record'
            )

    def test_environment(self):
        """Prefer the environment to any file."""
        self.write('.nova/nova.conf', '[nova_ext_record]\nfile = /file\n')
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_NOVA_EXT_RECORD__FILE', '/environment'
        ))
        self.assertEqual(pathlib.Path('/environment'), location.find_record())

    def test_unreadable(self):
        """Refuse a missing file and a malformed one, in one line."""
        broken = self.write('broken', 'nonsense')
        for given in (broken, '/no/such/file'):
            error = self.assertRaises(
                errors.RecordError, location.find_record, [given]
            )
            self.assertIn(given, str(error))
            self.assertIn('--record', str(error))
            self.assertNotIn('\n', str(error))

    def test_malformed(self):
        """Name the file and the line, and quote no word of it."""
        path = self.write('nova.conf', '[DEFAULT]\n\npassword s3cret\n')
        error = self.assertRaises(
            errors.RecordError, location.find_record, [path]
        )
        self.assertIn(f'{path}:3 sets no option', str(error))
        self.assertNotIn('s3cret', str(error))
        self.assertIsNone(error.__cause__)

    def test_forbidden(self):
        """Need no readable nova.conf where the environment has the path."""
        path = self.write('.nova/nova.conf', '[DEFAULT]\n')
        opened = open

        def forbidding(name, *args, **kwargs):
            if str(name) == path:
                raise PermissionError(13, 'Permission denied', path)
            return opened(name, *args, **kwargs)

        self.useFixture(fixtures.MonkeyPatch('builtins.open', forbidding))
        error = self.assertRaises(errors.RecordError, location.find_record)
        self.assertIn(path, str(error))
        self.assertIn('--record', str(error))
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_NOVA_EXT_RECORD__FILE', '/environment'
        ))
        self.assertEqual(pathlib.Path('/environment'), location.find_record())

    def test_no_text(self):
        """A file that is no text, or a folder, is one line."""
        file = self.folder / 'latin'
        file.write_bytes(b'# \xe4\n')
        for path, words in (file, 'no UTF-8'), (self.folder, 'can\'t be read'):
            error = self.assertRaises(
                errors.RecordError, location.find_record, [str(path)]
            )
            self.assertIn(words, str(error))
            self.assertIsNone(location.find_log([str(path)]))
