"""What is wrong with a configuration is one line."""

import tempfile
from pathlib import Path

import testtools
from oslo_config import cfg

from nova_ext.conf import config_errors


class ConfigErrorsTest(testtools.TestCase):
    """A file of one option."""

    def describe(self, text):
        """Read a configuration of this text; return what is wrong."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = Path(folder) / 'x.conf'
        self.path.write_text(text)
        conf = cfg.ConfigOpts()
        conf.register_opt(cfg.FloatOpt('multiplier'))
        try:
            conf([], default_config_files=[str(self.path)])
            return conf.multiplier
        except config_errors.ERRORS as error:
            return config_errors.describe(error)

    def test_value(self):
        """A wrong value names option and file, and nothing of Python's."""
        text = self.describe('[DEFAULT]\nmultiplier = much\n')
        self.assertTrue(text.startswith(
            f'Value for option multiplier in {self.path} is not valid: '
        ), text)

    def test_line(self):
        """A line that sets nothing is named by its number."""
        text = self.describe('[DEFAULT]\npassword\n')
        self.assertEqual(f'{self.path}:2 sets no option; correct it', text)
