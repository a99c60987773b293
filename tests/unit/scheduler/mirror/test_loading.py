"""Refuse a mirror that can't be used, in one line."""

import os
import types
from pathlib import Path
from unittest import mock

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
            for imported, wrong in (
                (ModuleNotFoundError('no', name='numpy'), 'is not installed'),
                (ImportError('\nC-extensions\n\nfailed', name='numpy._core'),
                 "can't be imported: C-extensions failed"),
                (types.SimpleNamespace(__version__='1.25.2'),
                 'is of version 1.25.2'),
            ):
                with mock.patch.object(
                    mirror_loading.importlib, 'import_module',
                    side_effect=[imported],
                ):
                    self.assert_refused(
                        f'[nova_ext] mirror = verify: numpy {wrong}; install '
                        f'numpy>=1.26 beside Nova'
                    )

    def test_read_only_folder(self):
        """A folder that can't be written to is refused."""
        self.configure_folder()
        self.folder.chmod(0o500)
        if os.access(self.folder, os.W_OK):  # root may write anywhere
            self.useFixture(fixtures.MockPatchObject(
                mirror_loading.os, 'access', lambda *_: False
            ))
        self.assert_refused(
            f"[nova_ext] mirror_path = {self.folder}/nova-ext/mirror: "
            f"{self.folder} can't be written to; name a folder that the user "
            f"of nova-scheduler may write to", mirror_loading.check,
        )

    def test_folder(self):
        """One that can't be made is refused by the check alone."""
        mirror_loading.check()  # there is no mirror
        self.configure_folder()
        mirror_loading.check()
        Path(self.folder, 'nova-ext').touch()
        self.assert_refused(
            f'[nova_ext] mirror_path = {self.folder}/nova-ext/mirror: '
            f'{self.folder}/nova-ext is not a folder; name a folder that the '
            f'user of nova-scheduler may write to', mirror_loading.check,
        )
        mirror_loading.import_module()

    def configure_folder(self):
        """Ask for a mirror whose file is in a folder of this test."""
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        for where, name, value in (
            (mirror_loading.metadata, 'version', '33.0'),
            (mirror_loading.importlib, 'import_module',
             types.SimpleNamespace(__version__='2.4.4')),
        ):
            self.useFixture(fixtures.MockPatchObject(
                where, name, mock.Mock(return_value=value)
            ))
        self.flags(
            'nova_ext', mirror='on',
            mirror_path=str(self.folder / 'nova-ext' / 'mirror'),
        )

    def assert_refused(
        self, line, load=lambda: mirror_loading.load(None, None)
    ):
        """Expect an error of one line."""
        error = self.assertRaises(
            errors.ConfigurationError, load
        )
        self.assertEqual(line, str(error))
