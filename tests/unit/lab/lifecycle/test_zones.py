"""Test which labs a name stands for, and what is refused."""

import io
import os
import subprocess
import sys

import fixtures

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import processes, zones
from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.desired_state import LabChanges
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost
from nova_ext.lab.state.paths import MARKER
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base

LABS = ('a', 'a-2', 'a-3')
DEBUG = {'DEFAULT.debug': ['false']}
SLEEP = 'import time; print("on", flush=True); time.sleep(600)'


class ZonesTest(base.LabTestCase):
    """Have three zones that are stopped."""

    def setUp(self):
        """Create them."""
        super().setUp()
        for depth, name in enumerate(LABS):
            self.new_lab(name, zone=Zone(LABS, depth))

    def names(self, name):
        """Return the names of the labs that a name stands for."""
        return [lab.name for lab in zones.list_labs(name)]

    def refusal(self, name, count, **changes):
        """Return why a lab can't be brought up so."""
        return str(self.assertRaises(
            LabError, zones.bring_up, paths.locate(name), count,
            LabChanges(**changes), Progress(),
        ))

    def test_names(self):
        """The first stands for all, each other one for itself."""
        self.assertEqual([*LABS], self.names('a'))
        self.assertEqual(['a-2'], self.names('a-2'))
        error = self.assertRaises(LabError, zones.list_labs, 'b')
        self.assertEqual('no lab named b; labs: a, a-2, a-3', str(error))

    def test_damaged(self):
        """All are found where the first can't be read."""
        paths.locate('a').state_file.write_text('{')
        self.assertEqual([*LABS], self.names('a'))

    def test_whole(self):
        """One is not deleted without the first, unless it is gone."""
        zones.require_whole('a')
        error = self.assertRaises(LabError, zones.require_whole, 'a-3')
        self.assertIn('lab a-3 is a zone of lab a', str(error))
        paths.locate('a').state_file.unlink()
        zones.require_whole('a-3')

    def test_other_numbers(self):
        """The number of zones can't change, nor that of a lab alone."""
        self.assertEqual(
            '--zones 2: lab a has 3 zones; "nova-ext lab delete --name a" '
            'first, or take another --name', self.refusal('a', 2)
        )
        self.new_lab('alone')
        self.assertIn(
            '--zones 3: lab alone has no zones', self.refusal('alone', 3)
        )
        self.assertIn(
            'lab a-2 is a zone of lab a: name that one',
            self.refusal('a-2', 3),
        )

    def test_name_is_taken(self):
        """Another lab is not made a zone."""
        self.new_lab('b-2')
        self.assertIn(
            '--zones 3: there is another lab b-2', self.refusal('b', 3)
        )
        self.assertFalse(paths.locate('b').path.exists())

    def test_stock(self):
        """Nova's own scheduler makes no offers; nothing is changed."""
        files = [paths.locate(name).state_file for name in LABS]
        before = [file.read_text() for file in files]
        self.assertIn('leave out --stock', self.refusal('a', 3, stock=True))
        self.assertIn('leave out --stock', self.refusal('b', 3, stock=True))
        self.assertEqual(before, [file.read_text() for file in files])
        self.assertFalse(paths.locate('b').path.exists())


class RunningZonesTest(base.LabTestCase):
    """Have three zones that run, each as one process."""

    def setUp(self):
        """Start them, and replace what needs services."""
        super().setUp()
        self.children = {}
        for depth, name in enumerate(LABS):
            lab, state = self.new_lab(name, zone=Zone(LABS, depth), ports={})
            child = subprocess.Popen(
                [sys.executable, '-c', SLEEP], stdout=subprocess.PIPE,
                env={**os.environ, MARKER: str(lab.path)},
            )
            for clean in (child.stdout.close, child.wait, child.kill):
                self.addCleanup(clean)
            child.stdout.readline()
            self.children[name] = child
            state.processes = {'nova': processes.identify(child)}
            lab_state.save(lab, state)
        #: What fails, by the name of its lab.
        self.failures, self.connected = {}, []
        for target, value in (
            # They have no broker, as with a Nova that runs on threads.
            ('process.nova_threads.available', lambda: True),
            ('lifecycle.status.all_serve', lambda lab, state: True),
            ('lifecycle.up._bring', self.bring),
            ('lifecycle.zone_link.connect', self.connect),
            ('lifecycle.option_check.check', self.check),
        ):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.lab.{target}', value
            ))

    def check(self, settings):
        """Refuse a misspelt option, as Nova's declarations do."""
        if 'nova_ext.scheduler_drivr' in settings:
            raise LabError('has no option scheduler_drivr')

    def bring(self, lab, before, state, progress):
        """Bring a lab up, or fail."""
        lab.create()
        if lab.name in self.failures:
            raise self.failures[lab.name]
        state.ready = True
        lab_state.save(lab, state)

    def connect(self, lab, progress):
        """Connect a lab to its child, or fail."""
        self.connected.append(lab.name)
        if (lab.name, 'child') in self.failures:
            raise self.failures[lab.name, 'child']

    def bring_up(self, name, count=None, **changes):
        """Run the command."""
        return zones.bring_up(
            paths.locate(name), count, LabChanges(**changes),
            Progress(io.StringIO()),
        )

    def running(self):
        """Return the labs whose processes run."""
        return [
            name for name, child in self.children.items()
            if child.poll() is None
        ]

    def settings(self):
        """Return whether each lab has the setting of these tests."""
        return [
            'DEFAULT.debug' in lab_state.load(paths.locate(name)).settings
            for name in LABS
        ]

    def test_refused(self):
        """A mistake in an option stops none of them, and changes none."""
        for changes, expected in (
            ({'settings': {'nova_ext.scheduler_drivr': ['x']}},
             'has no option scheduler_drivr'),
            ({'stock': True}, 'leave out --stock'),
            ({'hosts': [LabHost('cmp-1')]}, 'leaves out cmp-2'),
        ):
            for name, count in (('a', 3), ('a', None), ('a-2', None)):
                error = self.assertRaises(
                    LabError, self.bring_up, name, count, **changes
                )
                self.assertIn(expected, str(error))
        self.assertEqual(([*LABS], []), (self.running(), self.connected))

    def test_refused_by_one(self):
        """What the first can't become stops none of the others."""
        lab = paths.locate('a')
        state = lab_state.load(lab)
        state.hosts.append(LabHost('cmp-3'))
        lab_state.save(lab, state)
        self.assertRaises(
            LabError, self.bring_up, 'a', settings=DEBUG,
            hosts=[LabHost('cmp-1'), LabHost('cmp-2')],
        )
        self.assertEqual([*LABS], self.running())
        self.assertEqual([False] * 3, self.settings())

    def test_one_does_not_come_up(self):
        """Stop what had to change, with the settings of before."""
        state = lab_state.load(paths.locate('a-3'))
        state.settings = DEBUG
        lab_state.save(paths.locate('a-3'), state)
        self.failures['a'] = LabError('no')
        self.assertRaises(LabError, self.bring_up, 'a', settings=DEBUG)
        # It had the setting already.
        self.assertEqual(['a-3'], self.running())
        self.assertEqual([False, False, True], self.settings())

    def test_unchanged(self):
        """Leave those alone that are up so, and connect them."""
        self.assertFalse(self.bring_up('a'))
        self.assertTrue(self.bring_up('a', settings=DEBUG))
        self.assertEqual([*LABS], self.running())
        self.assertEqual([*reversed(LABS)] * 2, self.connected)

    def test_parent_does_not_connect(self):
        """Say so, and leave the child up."""
        self.failures['a', 'child'] = LabError('no answer')
        error = self.assertRaises(
            LabError, self.bring_up, 'a-2', settings=DEBUG
        )
        self.assertEqual(
            'lab a-2 is up, but lab a does not reach it: no answer; '
            '"nova-ext lab up --name a" tries again', str(error),
        )
        self.assertEqual([*LABS], self.running())
        self.assertEqual([False, True, False], self.settings())

    def test_first_up_is_interrupted(self):
        """Have the next command begin all of them anew."""
        self.failures['b'] = KeyboardInterrupt()
        self.assertRaises(KeyboardInterrupt, self.bring_up, 'b', 3)
        labs = [paths.locate(name) for name in ('b', 'b-2', 'b-3')]
        self.assertEqual(
            [False] * 3, [lab_state.load(lab).ready for lab in labs]
        )
        del self.failures['b']
        self.assertTrue(self.bring_up('b', 3, settings=DEBUG))
        self.assertEqual(
            [DEBUG] * 3, [lab_state.load(lab).settings for lab in labs]
        )
