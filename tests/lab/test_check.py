"""Run nova-ext check, of a running scheduler and of a configuration."""

import json
from xml.etree import ElementTree

import yaml

from nova_ext.lab.state import paths
from tests.lab import base

EXTRA_SPECS = 'AggregateInstanceExtraSpecsFilter'
FILTERS = (
    'ComputeFilter', 'ImagePropertiesFilter', EXTRA_SPECS,
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
)
#: Rules of every kind: whether each holds, and what is said where it fails.
RULES = (
    ({'flavor': 'gpu.large', 'passes on': 'exactly 1 host'}, ''),
    ({'flavor': 'gpu.large', 'for project': 'demo',
      'passes on': 'at least 2 hosts'},
     f'1 of 4 hosts passes; {EXTRA_SPECS}: '),
    ({'flavor': 'gpu.large', 'passes on': 'no host', 'in aggregate': 'plain',
      'room': 'ignored'}, ''),
    ({'flavor': 'm1.tiny', 'passes on': 'no host', 'in aggregate': 'gpu',
      'room': 'ignored'}, '1 of 1 host passes: cmp-4'),
    ({'flavor': 'm1.tiny', 'fits': 'at least 4 times',
      'with policy': 'anti-affinity'}, ''),
    ({'flavor': 'm1.tiny', 'fits': 'at least 5 times',
      'with policy': 'anti-affinity'}, 'ServerGroupAntiAffinityFilter'),
    ({'flavor': 'm1.tiny', 'fits': 'at least 2 times'}, ''),
    ({'flavor': 'm1.tiny', 'fits': 'never'}, ' more fit'),
    ({'enabled filters include': ['ComputeFilter', EXTRA_SPECS]}, ''),
    ({'enabled filters include': ['ComputeFilter', 'NUMATopologyFilter']},
     'NUMATopologyFilter is not enabled; enabled: ComputeFilter'),
    ({'every multiplier set in': ['reached.conf'], 'is': 'in force'}, ''),
    ({'every multiplier set in': ['reached.conf', 'lost.yaml'],
      'is': 'in force'}, 'CPUWeigher uses 1'),
    ({'hosts': 'at most 3', 'are in no aggregate with': 'gpu'}, ''),
    ({'hosts': 'at most 5 %', 'are in no aggregate with': 'gpu'},
     '3 of 4 hosts are in no aggregate with gpu: cmp-1, cmp-2, cmp-3'),
)


class CheckTest(base.LabTestCase):
    """Check a lab against rules; a multiplier and a filter are set."""

    up = (
        '--computes', '4',
        '--set', f'filter_scheduler.enabled_filters={",".join(FILTERS)}',
        '--set', 'filter_scheduler.ram_weight_multiplier=7.0',
    )

    @classmethod
    def setUpClass(cls):
        """Make two aggregates, and a flavor that one of them takes."""
        super().setUpClass()
        for name, host, key in (
            ('gpu', 'cmp-4', 'gpu=yes'), ('plain', 'cmp-1', 'plain=yes'),
        ):
            cls.openstack('aggregate', 'create', '--property', key, name)
            cls.openstack('aggregate', 'add', 'host', name, host)
        cls.openstack(
            'flavor', 'create', '--ram', '64', '--disk', '1', '--property',
            'aggregate_instance_extra_specs:gpu=yes', 'gpu.large',
        )
        (cls.home / 'reached.conf').write_text(
            '[filter_scheduler]\nram_weight_multiplier = 7\n'
        )
        (cls.home / 'lost.yaml').write_text(
            'filter_scheduler: {cpu_weight_multiplier: 3.0}\n'
        )
        cls.conf = paths.find('default').configuration('nova') / 'nova.conf'

    @classmethod
    def openstack(cls, *words):
        """Run a command of OpenStackClient."""
        cls.lab('run', '--', 'openstack', *words)

    def check(self, path, *words, status=0):
        """Return the answers, as data."""
        output = self.run_in_lab(
            'nova-ext', 'check', str(path), '-f', 'json', *words,
            status=status,
        )
        return json.loads(output[output.index('{'):output.rindex('}') + 1])

    def write(self, *rules):
        """Write a file of rules."""
        path = self.home / 'rules.yaml'
        path.write_text(yaml.safe_dump({'rules': rules}, sort_keys=False))
        return path

    def test_kinds(self):
        """Each kind holds and fails, whoever answers, with the same words."""
        path = self.write(*(rule for rule, _ in RULES))
        for words in ((), ('--config-file', str(self.conf))):
            answer = self.check(path, *words, status=1)
            for (rule, said), found in zip(
                RULES, answer['rules'], strict=True
            ):
                self.assertEqual(
                    'fails' if said else 'holds', found['answer'],
                    (words, rule, found),
                )
                self.assertIn(said, found['why'])

    def test_status(self):
        """0 where all hold, 2 where one is not known or the file is wrong."""
        holding = self.write(*(rule for rule, said in RULES if not said))
        junit = self.home / 'junit.xml'
        answer = self.check(holding, '--junit', str(junit))
        self.assertEqual('7 of 7 rules hold', answer['sentence'])
        suite = ElementTree.parse(junit).getroot()  # noqa: S314  our own
        self.assertEqual('7', suite.get('tests'))
        unknown = self.write({'flavor': 'none', 'passes on': 'no host'})
        (rule,) = self.check(unknown, status=2)['rules']
        self.assertEqual('not known', rule['answer'])
        wrong = self.write({'flavor': 'm1.tiny', 'passes on': 'few hosts'})
        output = self.run_in_lab('nova-ext', 'check', str(wrong), status=2)
        self.assertIn(f'nova-ext: {wrong}:3: passes on: ', output)

    def test_init(self):
        """The first file holds on its cloud, until that changes."""
        first = self.home / 'first.yaml'
        self.run_in_lab('nova-ext', 'check', '--init', str(first))
        rules = yaml.safe_load(first.read_text())['rules']
        self.assertIn({
            'flavor': 'gpu.large', 'passes on': 'no host',
            'in aggregate': 'plain', 'room': 'ignored',
        }, rules)
        self.check(first)
        self.check(first, '--config-file', str(self.conf))
        self.run_in_lab(
            'nova-ext', 'check', '--init', str(first), status=2
        )
        self.openstack('aggregate', 'unset', '--property', 'gpu', 'gpu')
        self.addCleanup(
            self.openstack, 'aggregate', 'set', '--property', 'gpu=yes', 'gpu'
        )
        failed = [rule for rule in self.check(first, status=1)['rules']
                  if rule['answer'] == 'fails']
        self.assertEqual(
            ['flavor gpu.large, passes on at least 1 host, room ignored'],
            [rule['rule'] for rule in failed],
        )
