"""From the options of server create to a request."""

import argparse

import testtools

from nova_ext.core.errors import NovaExtError
from nova_ext.shell import boot, server_create
from tests.unit.osc.base import Cloud


class BootTestCase(testtools.TestCase):
    """Asks as a command line does, of one cloud."""

    def setUp(self):
        """With a cloud of one flavor and one image."""
        super().setUp()
        self.cloud = Cloud()

    def request(self, *words):
        """What these words ask for."""
        parser = argparse.ArgumentParser()
        server_create.add(parser)
        return boot.request(
            self.cloud, parser.parse_args(('--flavor', 'big', *words))
        )

    def refusal(self, *words):
        """What it says to them."""
        return str(self.assertRaises(NovaExtError, self.request, *words))


class NumberTest(BootTestCase):
    """How many servers."""

    def test_refused(self):
        """In the words of server create."""
        most = 'min instances should be <= max instances'
        for words, said in (
            (('--min', '5'), most), (('--max', '0'), most),
            (('--min', '5', '--max', '4'), most),
            (('--min', '0'), 'min instances should be > 0'),
        ):
            self.assertEqual(said, self.refusal(*words))
        self.request('--min', '5', '--max', '5')
