"""Share what one process answers at a time among projects."""

import contextlib

import testtools

from nova_ext.api.http.errors import HttpError
from nova_ext.api.http.fair_share import FairShare


class FairShareTest(testtools.TestCase):
    """Three at one time, two of one project."""

    def setUp(self):
        """Have nothing that is answered."""
        super().setUp()
        self.share = FairShare(at_once=3, of_one=2)
        self.running = contextlib.ExitStack()
        self.addCleanup(self.running.close)

    def begin(self, project):
        """Answer one more request until the end of the test."""
        self.running.enter_context(self.share.hold(project))

    def test_one(self):
        """A project takes no more than its share; another goes on."""
        self.begin('a')
        self.begin('a')
        error = self.assertRaises(HttpError, self.begin, 'a')
        self.assertEqual((503, 'busy'), (error.status, error.code))
        self.begin('b')

    def test_all(self):
        """Nobody takes more than there is."""
        for project in ('a', 'a', None):
            self.begin(project)
        error = self.assertRaises(HttpError, self.begin, 'b')
        self.assertIn('3 in all', error.detail)

    def test_end(self):
        """What is answered, or has failed, counts no more."""
        for _ in range(4):
            with self.share.hold('a'):
                pass
            with contextlib.suppress(ValueError), self.share.hold('a'):
                raise ValueError
        self.begin('a')
        self.begin('a')
