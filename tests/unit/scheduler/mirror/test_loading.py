"""Refuse a mirror that can't be used, in one line."""

import fixtures

from nova_ext.core.base import errors
from nova_ext.scheduler.mirror import mirror_loading
from tests.unit.scheduler import configured


class LoadTest(configured.ConfiguredTestCase):
    """Ask for a mirror."""

    def test_off(self):
        """By default there is none."""
        self.assertIsNone(mirror_loading.load(None, lambda: None))

    def test_refusals(self):
        """The line names the option, what is wrong and what to do."""
        self.flags('nova_ext', mirror='verify')
        with fixtures.MockPatchObject(
            mirror_loading.metadata, 'version', lambda _: '31.3'
        ):
            self.assert_refused(
                '[nova_ext] mirror = verify: it needs Nova 33 or later; '
                'remove the option'
            )
        with fixtures.MockPatchObject(
            mirror_loading.metadata, 'version', lambda _: '33.0'
        ):
            self.flags('nova_ext_record', enabled=False)
            self.assert_refused(
                '[nova_ext] mirror = verify: what differs is recorded, but '
                'nothing is; set [nova_ext_record] enabled = true'
            )
            self.flags('nova_ext_record', enabled=True)
            self.useFixture(fixtures.MockPatchObject(
                mirror_loading.importlib, 'import_module', _import_without
            ))
            self.assert_refused(
                '[nova_ext] mirror = verify: numpy is not installed; '
                'install numpy>=1.26 beside Nova'
            )

    def assert_refused(self, line):
        """Expect an error of one line."""
        error = self.assertRaises(
            errors.ConfigurationError, mirror_loading.load, None, None
        )
        self.assertEqual(line, str(error))


def _import_without(name):
    raise ModuleNotFoundError("No module named 'numpy'", name='numpy')
