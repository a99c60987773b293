"""Run nova-ext check against a cloud that answers over HTTP."""

import contextlib
import json
from pathlib import Path
from xml.etree import ElementTree

import fixtures

from nova_ext.scheduler.what_if.simulate import offline_simulation
from tests.unit.cloud_rules.base import explain, row
from tests.unit.cmd import base, fake_cloud
from tests.unit.doctor.fake_cloud import hypervisor

API = 'http://scheduler.example'
HOLDS = '- enabled filters include: [ComputeFilter]'
FAILS = '- enabled filters include: [RackFilter]'
UNKNOWN = '- {flavor: none, passes on: no host}'


class CheckTest(base.CommandTestCase):
    """Check three hosts against files of rules."""

    def setUp(self):
        """Have hosts, an aggregate, a flavor, and a scheduler."""
        super().setUp()
        self.path = Path(self.useFixture(fixtures.TempDir()).join('r.yaml'))
        self.cloud = self.useFixture(fake_cloud.CloudFixture(scheduler=API))
        self.cloud.get(f'{API}/v1/filters', json={
            'filters': [{'name': 'ComputeFilter'}],
        })
        self.explanation = explain(
            row('chosen', 2, 'cmp-0', 'cmp-1'),
            row('rejected', 1, 'cmp-2', stage='RackFilter', reason='wrong'),
        )
        self.cloud.post(
            f'{API}/v1/simulations',
            json=lambda *_: {'simulation': self.explanation},
        )
        compute = fake_cloud.COMPUTE
        self.cloud.get(f'{compute}/os-hypervisors/detail', json={
            'hypervisors': [hypervisor(f'cmp-{n}') for n in range(3)],
        })
        self.cloud.get(f'{compute}/os-aggregates', json={'aggregates': [
            {'uuid': name, 'name': name, 'hosts': [host],
             'metadata': metadata} for name, host, metadata in (
                ('west', 'cmp-0', {'availability_zone': 'west'}),
                ('gpu', 'cmp-2', {'gpu': 'yes'}),
            )
        ]})
        flavor = {
            'id': '1', 'name': 'small', 'ram': 512, 'vcpus': 2, 'disk': 3,
            'swap': '', 'extra_specs': {}, 'OS-FLV-EXT-DATA:ephemeral': 0,
        }
        for name in ('small', '1'):
            self.cloud.get(f'{compute}/flavors/{name}', json={
                'flavor': flavor,
            })
        self.cloud.get(f'{compute}/flavors/none', status_code=404)
        self.cloud.get(f'{compute}/flavors/detail', json={
            'flavors': [flavor],
        })

    def check(self, *words, rules=()):
        """Write a file of rules, if there are any, and run the command."""
        if rules:
            self.path.write_text('\n'.join(['rules:', *rules, '']))
        status, out, err = self.run_command('check', str(self.path), *words)
        self.assertNotIn('Traceback', err)
        return status, out, err

    def test_statuses(self):
        """One that fails is 1; one that is not known is 2, whatever else."""
        for rules, status, sentence in (
            ([HOLDS], 0, '1 of 1 rule holds'),
            ([HOLDS, FAILS], 1, '1 of 2 rules hold'),
            ([HOLDS, FAILS, UNKNOWN], 2, '1 of 3 rules hold'),
            ([UNKNOWN], 2, '0 of 1 rule holds'),
        ):
            answer, out, _ = self.check(rules=rules)
            self.assertEqual((status, sentence), (
                answer, out.splitlines()[0]
            ))

    def test_reasons(self):
        """Each rule is there with its line, its answer, and why."""
        junit = self.path.parent / 'out.xml'
        status, out, _ = self.check(
            '-f', 'json', '--junit', str(junit), rules=[
                HOLDS, '- {flavor: small, passes on: every host, name: all}',
            ],
        )
        document = json.loads(out)
        self.assertEqual(1, status)
        self.assertEqual('1 of 2 rules hold', document['sentence'])
        self.assertEqual([{
            'rule': 'enabled filters include ComputeFilter',
            'answer': 'holds', 'why': '', 'file': str(self.path), 'line': 2,
        }, {
            'rule': 'all', 'answer': 'fails', 'file': str(self.path),
            'line': 3,
            'why': '2 of 3 hosts pass; RackFilter: wrong (cmp-2)',
        }], document['rules'])
        _, out, _ = self.check('-f', 'csv')
        self.assertEqual(
            '3,"all","fails","2 of 3 hosts pass; RackFilter: wrong (cmp-2)"',
            out.splitlines()[2],
        )
        suite = ElementTree.parse(junit).getroot()  # noqa: S314  our own
        self.assertEqual('1', suite.get('failures'))

    def test_junit_refused(self):
        """It replaces no file that is read."""
        for path in (self.path, self.path.parent / 'x.journal', '/none/x'):
            status, out, err = self.check('--junit', str(path), rules=[HOLDS])
            self.assertEqual((2, ''), (status, out))
            self.assertIn(f'{path} ', err)
        self.assertIn(HOLDS, self.path.read_text())

    def test_first_file(self):
        """What --init writes holds, and is not written over."""
        status, out, err = self.check('--init')
        self.assertEqual(0, status, err)
        self.assertIn('has 4 rules', out)
        text = self.path.read_text()
        self.assertIn('at most 67 %', text)
        status, out, _ = self.check()
        self.assertEqual((0, '4 of 4 rules hold'), (
            status, out.splitlines()[0]
        ))
        self.explanation = explain(row('chosen', 3, 'cmp-0', 'cmp-1', 'cmp-2'))
        self.assertEqual(1, self.check()[0])
        status, out, err = self.check('--init')
        self.assertEqual((2, ''), (status, out))
        self.assertIn('is there already', err)
        self.assertEqual(text, self.path.read_text())

    def test_wrong_file(self):
        """It is refused in one line, before a cloud is asked."""
        for rules, problem in (
            (['- {flavour: small}'], ':2: a rule has one of the keys'),
            (['- {flavor: small, passes on: some hosts}'],
             ':2: passes on: \'some hosts\'; write "no host"'),
        ):
            status, out, err = self.check(rules=rules)
            self.assertEqual((2, ''), (status, out))
            self.assertIn(f'{self.path}{problem}', err)
            self.assertEqual(1, len(err.splitlines()), err)
        self.assertFalse(self.cloud.called)

    def test_no_api(self):
        """Without nova-ext-api nothing is known, and why is said."""
        self.useFixture(fake_cloud.CloudFixture())
        status, out, _ = self.check('-f', 'json', rules=[HOLDS])
        (rule,) = json.loads(out)['rules']
        self.assertEqual((2, 'not known'), (status, rule['answer']))
        self.assertIn('nova-ext-api is not installed', rule['why'])

    def test_progress(self):
        """Of many rules it says how far it is."""
        status, _, err = self.check(rules=[HOLDS] * 250)
        self.assertEqual(0, status)
        for count in (100, 200):
            self.assertIn(f'{count} of 250 rules', err)

    def test_configuration(self):
        """With files no API is asked, but what these would decide."""
        asked = []

        @contextlib.contextmanager
        def serve(*args):
            asked.append(args)
            yield self
            asked.append('ended')

        self.patch(offline_simulation, 'serve', serve)
        status, _, err = self.check(
            '--config-file', '/a', '--config-file', '/b', '--config-dir',
            '/c', rules=[FAILS],
        )
        self.assertEqual(0, status, err)
        self.assertEqual([(['/a', '/b'], ['/c'], {
            'user_id': 'u', 'project_id': 'demo', 'roles': [],
        }), 'ended'], asked)

    def list_filters(self):
        """Return what a configuration enables."""
        return ['RackFilter']
