"""Run the demonstration of why on answers of the test."""

import argparse
import contextlib
import io
import json
import subprocess
from types import SimpleNamespace

import fixtures

from nova_ext.lab.cli import demo
from nova_ext.lab.demo import shortage, why
from nova_ext.lab.lifecycle import status
from tests.unit.lab import base

SHORT = shortage.Shortage(
    ['cmp-3', 'cmp-4'], ['cmp-2'], 'cmp-1', 'group-1', 'member-1'
)
REJECTED = (
    '1 down as forced_down is set (ComputeFilter), 1 anti-affinity group may '
    'have 1 there and has member-1 (ServerGroupAntiAffinityFilter)'
)
SENTENCES = {
    'explained': f'0/4 hosts: 2 did not reach the filters, {REJECTED}',
    'unasked': 'no host was left for ServerGroupAffinityFilter, '
               'SpecifiedHostFilter to be asked about',
    'simulated': f'cmp-4 chosen from 2 of 4 hosts: {REJECTED}; alternates '
                 'cmp-3',
    'compared': 'with memory_mb 2048 instead of 16384, 2 of 4 hosts pass',
    'placed': 'cmp-4',
}


class WhyTest(base.LabTestCase):
    """Check results, and end with a status."""

    def setUp(self):
        """Make a lab that has a shortage."""
        super().setUp()
        self.there, _ = self.new_lab('a', stock_schedulers=1)
        self.patch(status, 'find_lab', lambda name: self.there)
        self.patch(
            shortage, 'create', lambda cloud, name:
                contextlib.nullcontext(SHORT)
        )
        self.patch(why, 'Cloud', lambda state: None)
        self.patch(servers, 'remove', lambda cloud, name: None)
        self.patch(servers, 'find', lambda cloud, name: [{'id': name}])

    def run_why(self, **changed):
        """Return whether it says that all is so, and its exit status."""
        answers = SENTENCES | changed

        def wait_until_built(cloud, server):
            return {'status': 'ERROR'} if server == why.FAILED else {
                'status': 'ACTIVE', 'OS-EXT-SRV-ATTR:host': answers['placed'],
            }

        def run(words, **how):
            output = {
                'explain': '\n+--+\n'.join(
                    [answers['explained'], answers['unasked']]
                ),
                'simulate': json.dumps({
                    'sentence': answers['simulated'],
                    'notes': [answers['compared']], 'decision': {'attempts': [
                        {'ranked': ['cmp-4', 'cmp-3'], 'equal': 1},
                    ]},
                }),
            }
            return subprocess.CompletedProcess(
                words, 0, output.get(words[1], ''), ''
            )

        self.patch(servers, 'wait_until_built', wait_until_built)
        out = io.StringIO()
        with fixtures.MonkeyPatch('subprocess.run', run):
            status = demo.Demo(
                SimpleNamespace(stdout=out), None
            ).take_action(argparse.Namespace(name='a', story='why'))
        # What comes next depends on whose lab it is.
        return out.getvalue().endswith('\nAll of it is so.\n'), status

    def test_all_right(self):
        """Accept the right sentences."""
        self.assertEqual((True, 0), self.run_why())

    def test_one_wrong(self):
        """Refuse a wrong sentence, if only its end is wrong."""
        for name, changed in (
            ('explained', f'{SENTENCES["explained"]}, 1 more'),
            ('unasked', 'without F 1 host would have passed all filters'),
            ('simulated', SENTENCES['simulated'].replace('2 of', '3 of')),
            ('compared', f'{SENTENCES["compared"]}, or more'),
            ('placed', 'cmp-3'),
        ):
            self.assertEqual((False, 1), self.run_why(**{name: changed}), name)
