"""Run the demonstration of a dead zone on answers of the test."""

import contextlib
import io
import signal
import subprocess
import threading
from types import SimpleNamespace

import fixtures

from nova_ext.lab.demo import dead_zone
from nova_ext.lab.demo.zone_servers import COUNT, NAME
from nova_ext.lab.state import lock
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base
from tests.unit.lab.demo.test_zones import LABS, draw

PATIENCE_S = 60
ROWS = [
    (1, 'parent', 'active', ''), (2, 'child', 'unknown', 'zone_silent'),
    (3, 'child', 'active', ''), (4, 'child', 'failed', 'zone_unreached'),
    (5, 'child', 'undo', ''),
]


class Deployment:
    """Keep a build of two zones, of which one is killed.

    :param changed: what goes wrong, by name.
    """

    def __init__(self, **changed):
        self.changed = changed
        self.builds, self.done, self.looks = [], [], []
        self.killed = threading.Event()
        self.servers = {'parent': [], 'child': []}

    def cloud(self, name):
        """Return a client of a zone."""
        def get(kind, path):
            if kind == 'compute':
                return {'servers': self.servers[name]}
            if path == '/v1/builds':
                return {'builds': self.builds}
            self.looks.append(path)
            last = ('active', 'undo') if len(self.looks) > 2 else (
                'active', 'sent'
            )
            return {'build': {'items': [
                {'zone': 'parent', 'state': last[0]},
                {'zone': 'child', 'state': last[1]},
            ]}}
        return SimpleNamespace(get=get)

    def run(self, words, **how):
        """Run a command."""
        self.done.append(words)
        status, output = 0, ''
        if 'create' in words:
            output = self.create()
        elif 'show' in words and '--wait' not in words:
            output = self.show()
        elif 'delete' in words:
            self.servers = {
                name: self.changed.get('left', []) for name in self.servers
            }
        elif 'zone' in words:
            output = draw(['Name', 'Is Active'], [
                'child', self.changed.get('active', False),
            ])
        elif 'up' in words:
            self.changed.get('meanwhile', list)()
            status = self.changed.get('status', 0)
            output = 'Lab a-2 is ready\nmore'
        return subprocess.CompletedProcess(words, status, output, 'broken\n')

    def create(self):
        """Create a build, and end when the zone is dead."""
        if self.changed.get('nothing'):
            return ''
        self.builds.append({'id': 'build', 'name': NAME})
        self.servers['parent'].append({
            'name': f'{NAME}-1', 'status': self.changed.get('has', 'ACTIVE'),
        })
        if not self.killed.wait(PATIENCE_S):
            raise AssertionError('nothing was killed')
        return f'{NAME}: active\nmore'

    def show(self):
        """Show the build."""
        rows = self.changed.get('rows', ROWS)
        active = sum(row[2] == 'active' for row in rows)
        return (
            f'{NAME}: active: {self.changed.get("says", active)} of '
            f'{COUNT} servers are ACTIVE; server 5 is in zone child; more\n'
        ) + draw(['Number', 'Zone', 'State', 'Reason'], *rows)


class DeadZoneTest(base.LabTestCase):
    """Check results, and start the zone again."""

    def run_demo(self, **changed):
        """Return the checks that fail."""
        self.deployment = deployment = Deployment(**changed)
        lab, state = self.new_lab('a', zone=Zone(LABS[:2], 0))
        self.new_lab('a-2', zone=Zone(LABS[:2], 1))
        process = SimpleNamespace(pid=77, kill=deployment.killed.set)
        self.settings = []
        out = io.StringIO()
        module = 'nova_ext.lab.demo.dead_zone'
        with contextlib.ExitStack() as stack:
            for target, value in {
                'subprocess.run': deployment.run,
                f'{module}.restored_settings': self.restore,
                f'{module}.connect': lambda lab, state: {
                    name: deployment.cloud(name)
                    for name in deployment.servers
                },
                f'{module}.processes.find': lambda lab, known:
                    [process] if lab.name == 'a-2' else [],
                f'{module}.psutil.wait_procs': lambda *_: None,
            }.items():
                stack.enter_context(fixtures.MonkeyPatch(target, value))
            demonstration = dead_zone.DeadZone(lab, state, out, [])
            try:
                demonstration.run()
            finally:
                self.shown = out.getvalue()
        return [title for title, _, ok in demonstration.checks if not ok]

    @contextlib.contextmanager
    def restore(self, lab, names, progress):
        """Note settings that change, and that they are as before."""
        yield lambda settings: self.settings.append((lab.name, settings))
        self.settings.append((lab.name, names))

    def test_all_right(self):
        """Accept what is so, and give the parent's settings back."""
        self.assertEqual([], self.run_demo())
        self.assertIn('$ kill -KILL 77\n', self.shown)
        self.assertEqual([
            ('a', dead_zone.SETTINGS), ('a', [*dead_zone.SETTINGS]),
        ], self.settings)
        self.assertEqual(
            ['create', 'show', 'list', 'up', 'delete', 'show'],
            [next(word for word in words if word in (
                'create', 'list', 'up', 'delete', 'show'
            )) for words in self.deployment.done],
        )

    def test_one_wrong(self):
        """Refuse each wrong result."""
        for title, changed in (
            ('create', {'says': 4}),
            ('ACTIVE in Nova', {'has': 'ERROR'}),
            ('ACTIVE in Nova', {'rows': [
                *ROWS, (6, 'parent', 'undo', 'timeout'),
            ]}),
            ('the others', {'rows': [*ROWS[:1], (2, 'other', 'sent', '')]}),
            ('the others', {'rows': ROWS[:1]}),
            ('zone list', {'active': True}),
            ('servers in the end', {'left': [{'name': 'x', 'status': ''}]}),
        ):
            self.assertEqual(
                [f'with a dead zone: {title}'], self.run_demo(**changed)
            )

    def test_not_begun(self):
        """Say that there is nothing to see; start what may be dead."""
        error = self.assertRaises(LabError, self.run_demo, nothing=True)
        self.assertIn('nothing was sent', str(error))
        self.assertIn('up', self.deployment.done[-1])

    def test_several_signals(self):
        """Start the zone again: closing a terminal sends more than one."""
        with lock.interrupt_on_signals():
            self.assertEqual([], self.run_demo(
                meanwhile=lambda: signal.raise_signal(signal.SIGHUP)
            ))

    def test_not_started(self):
        """Say why the zone does not start again."""
        error = self.assertRaises(LabError, self.run_demo, status=1)
        self.assertEqual('broken', str(error))
