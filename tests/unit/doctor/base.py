"""Tests of one check against a small cloud."""

import testtools

from nova_ext.core.base.finding import Unchecked
from nova_ext.doctor.check import Finding
from tests.unit.doctor import fake_cloud


class CheckTestCase(testtools.TestCase):
    """Has a healthy cloud of three hosts."""

    #: The module under test.
    module = None

    def setUp(self):
        """The cloud."""
        super().setUp()
        self.cloud = self.useFixture(fake_cloud.FakeCloud())

    def look(self, configuration=None, **options):
        """What the check finds, by id; unchecked go to ``self.unchecked``."""
        found = list(
            self.module.check(self.cloud.facts(configuration, **options))
        )
        self.unchecked = [
            each for each in found if isinstance(each, Unchecked)
        ]
        return {each.id: each for each in found if isinstance(each, Finding)}

    def assert_found(self, found, **expected):
        """Exactly these findings, with these words in what or where."""
        names = {name.replace('_', '-'): words
                 for name, words in expected.items()}
        self.assertEqual(names.keys(), found.keys())
        for name, words in names.items():
            each = found[name]
            self.assertIn(words, f'{each.what}: {each.where}')
