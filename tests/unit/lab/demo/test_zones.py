"""Run the demonstration of zones on answers of the test."""

import argparse
import io
import subprocess
from types import SimpleNamespace

import fixtures
from prettytable import PrettyTable

from nova_ext.lab.cli import demo
from nova_ext.lab.demo import zones
from nova_ext.lab.demo.zone_servers import COUNT, NAME
from nova_ext.lab.lifecycle import status
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base

LABS = ('a', 'a-2', 'a-3')
NAMES = ('parent', 'child', 'child/grandchild')
PLACES = [NAMES[number % 3] for number in range(COUNT)]
ROOM = f'{COUNT} of {COUNT} servers would find room'
ACTIVE = (
    f'{NAME}: active: {COUNT} of {COUNT} servers are ACTIVE'
)


def draw(columns, *rows):
    """Return a table as commands print it."""
    table = PrettyTable(columns)
    table.add_rows(rows)
    return str(table)


class Deployment:
    """Keep a build and its servers, as three zones would.

    :param changed: what goes wrong, by name.
    """

    def __init__(self, **changed):
        self.changed = changed
        self.builds = []
        self.servers = {name: [] for name in NAMES}

    def cloud(self, name):
        """Return a client of a zone."""
        def get(kind, path):
            return {
                '/v1/zones/info': {'zone': {
                    'uuid': f'uuid of {name}', 'capabilities': {'general': {
                        'hypervisor': {'values': ['xen']},
                    }},
                }},
                '/v1/builds': {'builds': self.builds},
            }.get(path) or {'servers': self.servers[name]}
        return SimpleNamespace(get=get)

    def run(self, words, **how):
        """Run a command."""
        output = self.answer(words[2:])
        return subprocess.CompletedProcess(words, 0, output, '')

    def answer(self, words):
        """Return what a command prints."""
        if words[0] == 'zone':
            return {
                'info': draw(
                    ['Property', 'Value'], ['name', 'parent'],
                    ['hypervisor', self.changed.get('all', 'kvm;xen')],
                ),
                'list': draw(['Name', 'Is Active'], [
                    'child', self.changed.get('active', True),
                ]),
                'show': draw(['Property', 'Value'], [
                    'uuid', self.changed.get('uuid', 'uuid of child'),
                ]),
            }[words[1]]
        return getattr(self, words[2])(words)

    def create(self, words):
        """Create a build, or say where it would be."""
        if '--dry-run' in words:
            costs = self.changed.get('costs', range(COUNT))
            return f'{ROOM}\n' + draw(
                ['Number', 'Zone', 'Cost'],
                *([1, *row] for row in zip(PLACES, costs, strict=True)),
            )
        self.builds.append({'id': 'build', 'name': NAME})
        for number, place in enumerate(self.changed.get('places', PLACES), 1):
            self.servers[place].append({'name': f'{NAME}-{number}'})
        self.servers['child'] += self.changed.get('more', [])
        return ACTIVE

    def show(self, words):
        """Show the build."""
        return draw(['Zone', 'State'], *(
            [place, self.changed.get('state', 'active')] for place in PLACES
        ))

    def delete(self, words):
        """Delete the servers."""
        self.servers = {
            name: self.changed.get('left', []) for name in NAMES
        }
        return ''

    def list(self, words):
        """List the build."""
        return draw(['ID', 'State', 'Servers'], [
            'build', 'deleted', f'{COUNT} gone',
        ])


class ZonesTest(base.LabTestCase):
    """Check results, and end with a status."""

    def run_zones(self, **changed):
        """Return the checks that fail, and the exit status."""
        deployment = Deployment(**changed)
        self.last = []
        lab, state = self.new_lab('a', zone=Zone(LABS, 0))
        out = io.StringIO()
        with (
            fixtures.MonkeyPatch('subprocess.run', deployment.run),
            fixtures.MonkeyPatch(
                'nova_ext.lab.demo.zones.connect', lambda lab, state: {
                    name: deployment.cloud(name) for name in NAMES
                },
            ),
            fixtures.MonkeyPatch(
                'nova_ext.lab.demo.zones.DeadZone', lambda *args:
                    SimpleNamespace(run=lambda: self.last.append(args))
            ),
        ):
            demonstration = zones.Zones(lab, state, out)
            right = demonstration.run()
        self.assertEqual([], [
            server for servers in deployment.servers.values()
            for server in servers if server not in changed.get('left', [])
        ])
        self.assertEqual(
            [(lab, state, out, demonstration.checks)], self.last
        )
        return [title for title, _, ok in demonstration.checks if not ok], (
            right
        )

    def test_all_right(self):
        """Accept servers in the zones that were planned."""
        self.assertEqual(([], True), self.run_zones())

    def test_one_wrong(self):
        """Refuse each wrong result, and delete the build all the same."""
        for title, changed in (
            ('zone info: hypervisor of child/grandchild', {'all': 'kvm'}),
            ('zone list: active zones', {'active': False}),
            ('zone show child: its own uuid', {'uuid': 'uuid of parent'}),
            ('dry run: costs', {'costs': range(COUNT, 0, -1)}),
            ('create: servers in Nova', {'places': [*PLACES[1:], 'child']}),
            ('create: servers in Nova', {
                'more': [{'name': f'{NAME}-1'}],
            }),
            ('create: names in Nova', {'places': PLACES[1:]}),
            ('show: active servers', {'state': 'sent'}),
            ('delete: servers in Nova', {'left': [{'name': 'left'}]}),
        ):
            wrong, right = self.run_zones(**changed)
            self.assertFalse(right, changed)
            self.assertIn(title, wrong)

    def test_no_zones(self):
        """Say how to get a lab with zones."""
        lab, _ = self.new_lab('one')
        self.patch(status, 'find_lab', lambda name: lab)
        error = self.assertRaises(LabError, demo.Demo(
            SimpleNamespace(stdout=io.StringIO()), None
        ).take_action, argparse.Namespace(name='one', story='zones'))
        self.assertEqual(
            'lab one has no zones; one with zones is another lab: '
            'nova-ext lab up --name one-zones --zones 3', str(error),
        )
