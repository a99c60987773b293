"""Run nova-ext-manage."""

import contextlib
import io
import re
from pathlib import Path
from unittest import mock

import fixtures
import testtools

from nova_ext.cmd import manage
from nova_ext.database import database
from nova_ext.decisions import queries
from nova_ext.record import shortening
from nova_ext.record.tail import Place
from tests.unit.record import samples


class ManageTest(testtools.TestCase):
    """Manage the database that a configuration names."""

    def setUp(self):
        """Name a database that is empty yet."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.conf = self.folder / 'nova.conf'
        self.conf.write_text(
            f'[nova_ext_database]\nconnection = sqlite:///{self.folder}/d\n'
        )

    def manage(self, *argv):
        """Return what a command prints."""
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            mock.patch('sys.stderr', io.StringIO()),
        ):
            manage.main(['--config-file', str(self.conf), *argv])
        return out.getvalue()

    def refused(self, *argv):
        """Return the line of a command that fails."""
        left = self.assertRaises(SystemExit, self.manage, *argv)
        return str(left.code)

    def test_sync(self):
        """Create the schema."""
        self.assertEqual(
            'decisions none, needed 0001\nzones none, needed 0001\n',
            self.manage('db', 'version'),
        )
        for command in ('sync', 'version'):
            self.assertEqual(
                'decisions 0001, needed 0001\nzones 0001, needed 0001\n',
                self.manage('db', command),
            )

    def test_purge(self):
        """Delete what is older, in as many steps as it takes."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.decisions.queries.PURGE_ROWS', 2
        ))
        self.manage('db', 'sync')
        lines = [
            shortening.to_line(samples.failure(at=at), 65536)
            for at in ('2020-01-01T00:00:00.000Z', '2020-01-01T00:00:01.000Z',
                       '2020-01-01T00:00:02.000Z', '9999-01-01T00:00:00.000Z')
        ]
        with database.find_database([str(self.conf)]).writing() as session:
            queries.ship(session, 'ctl', lines, Place('f', 1))
        self.assertEqual(
            '3 deleted\n', self.manage('db', 'purge', '--days', '30')
        )
        self.assertEqual(
            '0 deleted\n', self.manage('db', 'purge', '--days', '30')
        )

    def test_errors(self):
        """Fail in one line each."""
        self.assertEqual(
            'nova-ext-manage: the database: no such table: decisions; run '
            '"nova-ext-manage db sync"',
            self.refused('db', 'purge', '--days', '1'),
        )
        self.conf.write_text('[nova_ext_database]\nconnection =\n')
        self.assertIn('no database is configured', self.refused('db', 'sync'))
        self.assertEqual(
            '2', self.refused('db', 'purge', '--days', '99999999999')
        )
        self.conf.write_text('nonsense secret\n')
        self.assertTrue(re.fullmatch(
            r'nova-ext-manage: the configuration can\'t be read: .*',
            told := self.refused('db', 'sync'),
        ))
        self.assertNotIn('secret', told)
        for url in ('secret?', 'mysql+none://u:secret@h/d',
                    'mssql://u:secret@h/d'):
            self.conf.write_text(f'[nova_ext_database]\nconnection={url}\n')
            told = self.refused('db', 'sync')
            self.assertIn('[nova_ext_database] connection can\'t be', told)
            self.assertNotIn('secret', told)
            self.assertNotIn('\n', told)
