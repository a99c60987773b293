"""Why nova-ext does not load, in a line."""

import importlib

import fixtures
import testtools
from nova import rpc
from nova.scheduler import manager

from nova_ext.core.base import errors
from nova_ext.scheduler.startup import compatibility


class UnfitTest(testtools.TestCase):
    """Over what Python really raises."""

    def setUp(self):
        """Have a Nova of a version to come."""
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.startup.compatibility.metadata.version', lambda name: '35.0.0'
        ))

    def line(self, load):
        """What is said of it."""
        def told():
            with compatibility.told():
                load()

        said = str(self.assertRaises(compatibility.UnfitError, told))
        self.assertNotIn('\n', said)
        return said

    def test_gone(self):
        """The name is told, however it was asked for."""
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
        """Whatever else is raised is placed, and not quoted."""
        self.assertIn(
            'does not load with Nova 35.0.0: ModuleNotFoundError no_such at ',
            self.line(lambda: importlib.import_module('no_such')),
        )
        said = self.line(lambda: int('s3cret'))
        self.assertIn(f': ValueError at {__file__}:', said)
        self.assertNotIn('s3cret', said)

    def test_own_words(self):
        """What says it in one line already goes through."""
        def refuse():
            with compatibility.told():
                raise errors.RecordError('so')

        self.assertEqual('so', str(
            self.assertRaises(errors.RecordError, refuse)
        ))
