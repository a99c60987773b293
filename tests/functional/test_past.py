"""A journal explains a decision, and says where a boot would have gone."""

import datetime
import json
import time

from nova_ext.scheduler.journal import journal
from tests.functional import programs
from tests.functional.test_replay import PATIENCE_S, ReplayTestCase


class PastTest(ReplayTestCase):
    """Boots on five hosts, of which only memory weighs."""

    def configure(self):
        """Have memory weigh alone, so that the emptiest host is chosen."""
        super().configure()
        self.flags(
            group='filter_scheduler', io_ops_weight_multiplier=0.0,
            disk_weight_multiplier=0.0, cpu_weight_multiplier=0.0,
        )

    def ask(self, *words, journals=None):
        """Run nova-ext; return the exit status, the document and stderr."""
        self.assertTrue(journal.get().flush(60))
        done = programs.run(
            *words, '--journal', journals or self.folder, '-f', 'json',
            timeout=PATIENCE_S,
        )
        self.assertNotIn('Traceback', done.stderr)
        document = json.loads(done.stdout) if done.stdout else None
        return done.returncode, document, done.stderr

    def test_explain(self):
        """Each decision is explained from its own state."""
        first = self.boot({'requested_host': 'cmp-2'})
        refused = self.boot(
            {'requested_host': 'none'}, expected_state='ERROR'
        )
        status, document, err = self.ask('explain', first['id'])
        self.assertEqual(0, status, err)
        self.assertEqual('placed', document['outcome'])
        self.assertIn('cmp-2', document['sentence'])
        (rejected,) = [
            row for row in document['rows']
            if row['stage'] == 'SpecifiedHostFilter'
        ]
        self.assertEqual(4, rejected['count'])
        self.assertEqual([], [
            note for note in document['notes'] if 'otherwise' in note
        ])
        _, document, _ = self.ask('explain', refused['id'])
        self.assertEqual('no valid host', document['outcome'])
        self.assertIn('none', json.dumps(document['rows']))

    def test_simulate(self):
        """A boot goes where one went then; hints and filters may differ."""
        first = self.host_of(self.boot())
        between = datetime.datetime.now(datetime.UTC).isoformat()
        time.sleep(0.01)
        second = self.host_of(self.boot())
        self.assertNotEqual(first, second)
        flavor = self.api.get_flavors()[0]['name']
        words = ('simulate', '--flavor', flavor)
        status, document, err = self.ask(*words, '--as-of', between)
        self.assertEqual(0, status, err)
        self.assertEqual(
            set(self.hosts), {each['host'] for each in document['weights']}
        )
        # As the second boot saw it, the first server has taken its room.
        _, document, _ = self.ask(*words)
        weights = {
            each['host']: each['contribution'] for each in document['weights']
            if each['weigher'] == 'RAMWeigher'
        }
        self.assertEqual(min(weights, key=weights.get), first)
        self.assertIn('hosts and placement\'s answer are those of req-',
                      ' '.join(document['notes']))
        _, document, _ = self.ask(*words, '--hint', 'requested_host=cmp-4')
        (chosen,) = document['decision']['chosen'].values()
        self.assertEqual('cmp-4', chosen[0])
        _, document, _ = self.ask(
            *words, '--hint', 'requested_host=cmp-4', '--try-filter',
            'ComputeFilter', '--max', '5',
        )
        chosen = document['decision']['chosen']
        # One host had a server; with one more, the others are as full.
        self.assertLessEqual(4, len({each[0] for each in chosen.values()}))

    def test_capacity(self):
        """As many fit as then; a rule of a cloud says the same."""
        flavor = self._create_flavor(vcpu=1, memory_mb=2048, disk=0)
        self.boot(flavorRef=flavor)
        name = self.api.get_flavor(flavor)['name']
        status, document, err = self.ask('capacity', '--flavor', name)
        self.assertEqual(0, status, err)
        total = document['total']
        self.assertEqual(total['least'], total['most'])
        for host in document['hosts'].values():
            self.assertEqual(host['least'], host['most'])
        self.assertEqual(5, len(document['hosts']))
        # Nova finds room for as many, and not for one more.
        self.assertFalse(document['bounded'], document)
        rules = self.folder / 'rules.yaml'
        rules.write_text(
            f'rules:\n- flavor: "{name}"\n  fits: exactly '
            f'{total["least"]} times\n- flavor: "{name}"\n'
            f'  passes on: every host\n- flavor: "{name}"\n'
            f'  fits: at least 5 times\n  with policy: anti-affinity\n'
            f'- flavor: "{name}"\n  fits: at least 6 times\n'
            f'  with policy: anti-affinity\n'
        )
        status, document, err = self.ask('check', rules)
        self.assertEqual(
            ['holds', 'holds', 'holds', 'fails'],
            [rule['answer'] for rule in document['rules']], document,
        )
        self.assertEqual(1, status)
