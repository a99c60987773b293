"""Say in one line why nova-ext does not load."""

import importlib

import fixtures
import testtools
from nova import rpc
from nova.scheduler import manager

from nova_ext.core.base import errors
from nova_ext.scheduler.startup import compatibility


class CompatibilityTest(testtools.TestCase):
    """Describe what Python really raises."""

    def setUp(self):
        """Have a Nova of a later version."""
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            f'{compatibility.__name__}.metadata.version',
            lambda name: '35.0.0',
        ))

    def line(self, load):
        """Return the line for what loading raises."""
        def translate():
            with compatibility.translate_errors():
                load()

        error = self.assertRaises(
            compatibility.IncompatibleError, translate
        )
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_gone(self):
        """Name what is gone, however it is imported."""
        def name():
            from nova.pci import no_such  # noqa: F401

        for load, gone in (
            (lambda: importlib.import_module('nova.no_such.module'),
             'nova.no_such'),
            (name, 'nova.pci.no_such'),
            (lambda: rpc.no_such, 'nova.rpc.no_such'),
            (lambda: manager.SchedulerManager.no_such,
             'nova.scheduler.manager.SchedulerManager.no_such'),
        ):
            self.assertEqual(
                f'{gone} is gone in Nova 35.0.0; keep the older Nova until '
                f'you upgrade nova-ext', self.line(load),
            )

    def test_others(self):
        """Say where any other error was raised, and quote none."""
        self.assertIn(
            'does not load with Nova 35.0.0: ModuleNotFoundError no_such at ',
            self.line(lambda: importlib.import_module('no_such')),
        )
        line_ = self.line(lambda: int('s3cret'))
        self.assertIn(f': ValueError at {__file__}:', line_)
        self.assertNotIn('s3cret', line_)

    def test_nova_ext_error(self):
        """Pass on an error of nova-ext."""
        def refuse():
            with compatibility.translate_errors():
                raise errors.RecordError('so')

        self.assertEqual('so', str(
            self.assertRaises(errors.RecordError, refuse)
        ))
