"""Read what nova-scheduler reads."""

import pathlib
import sys

import fixtures
import testtools
from nova import config
from oslo_config import cfg

from nova_ext.scheduler.base import nova_configuration


class ReadTest(testtools.TestCase):
    """Files of this program would have another name."""

    def setUp(self):
        """Keep what oslo.config finds while Nova reads."""
        super().setUp()
        home = pathlib.Path(self.useFixture(fixtures.TempHomeDir()).path)
        self.folder = home / '.nova'
        self.folder.mkdir()
        self.found = []
        self.useFixture(fixtures.MonkeyPatch('sys.argv', ['nova-ext', 'x']))
        self.useFixture(fixtures.MockPatchObject(
            config, 'parse_args', self.parse
        ))

    def parse(self, argv, default_config_files=None, configure_db=True,
              init_rpc=True):
        """Take what each release of Nova takes."""
        if argv[1:] == ['--config-file', 'missing']:
            raise cfg.ConfigFilesNotFoundError(['missing'])
        self.found += cfg.find_config_files(project='nova')

    def test_default(self):
        """The scheduler's files are found, and no file of nova-ext's."""
        for name in ('nova-scheduler.conf', 'nova-ext.conf'):
            (self.folder / name).write_text('')
        nova_configuration.read([], configure_db=False, init_rpc=False)
        self.assertIn(str(self.folder / 'nova-scheduler.conf'), self.found)
        self.assertNotIn(str(self.folder / 'nova-ext.conf'), self.found)
        self.assertEqual(['nova-ext', 'x'], sys.argv)

    def test_error(self):
        """The program has its own name again after an error, too."""
        with testtools.ExpectedException(cfg.ConfigFilesNotFoundError):
            nova_configuration.read(['--config-file', 'missing'])
        self.assertEqual(['nova-ext', 'x'], sys.argv)
