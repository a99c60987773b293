"""Try a file in a scheduler."""

import gc
import sys
import weakref
from pathlib import Path

import fixtures

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import decision as d
from nova_ext.core.plugin import plugin_file
from nova_ext.lab.trial import trial
from tests.functional_rpc import what_if

FILE = '''
from nova_ext.plugin import (
    PASS, ComputeDriver, Filter, Ranking, Weigher, reject,
)


class FirstFilter(Filter):
    def check(self, host, request):
        return reject('is cmp-1') if host.host == 'cmp-1' else PASS


class NameWeigher(Weigher):
    def weigh(self, host, request):
        return int(host.host[-1])


class BackwardsDriver(ComputeDriver):
    def rank(self, hosts, request, context):
        return Ranking(hosts[::-1])
'''
MODULE = 'nova_ext_files.mine'


class TrialTest(what_if.WhatIfTestCase):
    """Decide with a file's classes, and forget them."""

    def setUp(self):
        """Choose a path for the file."""
        super().setUp()
        folder = self.useFixture(fixtures.TempDir()).path
        self.path = Path(folder, 'mine.py')

    def try_file(self, text=FILE, **request):
        """Return the names in a file, and the decision with it."""
        self.path.write_text(text)
        return trial.decide(
            self.scheduler.decider, self.path, self.request(**request), {
                'user_id': 'admin', 'roles': ['admin'],
                'project_id': self.admin_api.project_id,
            },
        )

    def refusal(self, before, after):
        """Return the line that refuses the file with one text replaced."""
        self.assertIn(before, FILE)
        error = self.assertRaises(
            NovaExtError, self.try_file, FILE.replace(before, after)
        )
        self.assertNotIn('\n', str(error))
        return str(error).replace(f'{self.path.parent}/', '')

    def active_plugins(self):
        """Return the plugins that decide real boots."""
        decider = self.scheduler.decider
        return (
            list(decider.host_manager.enabled_filters),
            list(decider.host_manager.weighers), decider.driver,
        )

    def test_each_kind(self):
        """Use a filter, a weigher and a driver."""
        names, decision = self.try_file()
        self.assertEqual({
            'filter': ['FirstFilter'], 'weigher': ['NameWeigher'],
            'driver': ['BackwardsDriver'],
        }, names)
        self.assertTrue(decision.simulated)
        (attempt,) = decision.attempts
        step = attempt.steps[-1]
        self.assertEqual(
            ('FirstFilter', 'is cmp-1', ['cmp-1']),
            (step.name, step.rejections[0].reason, step.rejections[0].hosts),
        )
        self.assertEqual(
            {'cmp-2': 2.0, 'cmp-3': 3.0}, attempt.weighers[-1].weights
        )
        self.assertEqual(['cmp-2', 'cmp-3'], attempt.ranked)
        self.assertEqual('BackwardsDriver', decision.by['driver'])

    def test_nothing_stays(self):
        """Leave the plugins of real boots, and drop the file's classes."""
        before, modules = self.active_plugins(), set(sys.modules)
        classes, load = [], plugin_file.load_plugins

        def watched(path):
            plugins = load(path)
            classes.extend(
                weakref.ref(own[0]) for own in plugins.values()
            )
            return plugins

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.core.plugin.plugin_file.load_plugins', watched
        ))
        self.try_file()
        self.refusal("== 'cmp-1'", '== nosuch')
        self.try_file(hints={'requested_host': 'cmp-9'})
        self.assertEqual(before, self.active_plugins())
        self.assertNotIn(MODULE, set(sys.modules) - modules)
        self.assertEqual(
            ['ComputeFilter', 'SpecifiedHostFilter'],
            [step.name for step in self.simulate().attempts[0].steps],
        )
        gc.collect()
        self.assertEqual(9, len(classes))
        self.assertEqual({None}, {reference() for reference in classes})

    def test_as_it_is_now(self):
        """Read a file anew, and replace the active plugin of its name."""
        for host in ('cmp-1', 'cmp-2'):
            text = FILE.replace('cmp-1', host).replace(
                'FirstFilter', 'SpecifiedHostFilter'
            )
            _, decision = self.try_file(text)
            (step,) = [
                step for step in decision.attempts[0].steps
                if step.name == 'SpecifiedHostFilter'
            ]
            self.assertEqual([host], step.rejections[0].hosts)

    def test_no_host(self):
        """Return a decision without a host."""
        _, decision = self.try_file(FILE.replace("== 'cmp-1'", "!= ''"))
        self.assertEqual(d.NO_VALID_HOST, decision.outcome)
        self.assertEqual(
            3, decision.attempts[0].steps[-1].rejections[0].count
        )

    def test_refused(self):
        """Refuse in one line, with the file's line where there is one."""
        for before, after, line in (
            ('class FirstFilter(', 'class FirstFilter((',
             'mine.py:7: SyntaxError: '),
            ('import (', 'import (nosuch, ', 'mine.py:2: ImportError: '),
            ("== 'cmp-1'", '== nosuch', 'mine.py:9: NameError: name '),
            ('host.host[-1]', 'host.host', 'mine.py:14: ValueError: invalid'),
            ("== 'cmp-1'", "== __import__('sys').exit()",
             'mine.py:9: SystemExit: '),
            ('hosts[::-1]', 'hosts[9]', 'mine.py:19: IndexError: '),
            ("reject('is cmp-1')", "'no'",
             'No valid host was found. filter FirstFilter raised TypeError: '
             'check() returned no verdict'),
            ('    def weigh(', '    def __init__(self, *_):\n        '
             'self.x = nosuch\n\n    def weigh(', 'mine.py:14: NameError: '),
            ('class NameWeigher(', 'class OtherDriver(ComputeDriver):\n'
             '    """Another."""\n\n\nclass NameWeigher(',
             'OtherDriver and BackwardsDriver are drivers of one topic'),
        ):
            self.assertIn(line, self.refusal(before, after))
        self.assertEqual(d.PLACED, self.try_file()[1].outcome)
