"""Run nova-ext explain."""

import csv
import io
import json
import pathlib

import fixtures
import yaml

from nova_ext.cli import cloud, placement
from nova_ext.cmd import ask_again
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_diagnosis
from nova_ext.record import drops, reader, record_or_log, shortening
from tests.unit.cmd import base, fake_cloud
from tests.unit.record import samples, test_stock_log

OTHER = '22222222-2222-2222-2222-222222222222'
SENTENCE = '0/3 hosts: 3 disabled (ComputeFilter)'


class ExplainTest(base.CommandTestCase):
    """Read a record of a few decisions."""

    def setUp(self):
        """Write the record; have no Nova to ask again."""
        super().setUp()
        self.patch(ask_again, 'ask', lambda *asked: ask_again.Now())
        self.patch(ask_again, 'diagnose', lambda *asked: '')
        for name in cloud.VARIABLES:
            self.useFixture(fixtures.EnvironmentVariable(name))
        self.record = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )
        self.write(
            samples.success(),
            samples.failure(at='2026-11-22T12:00:00.000Z', by={
                'driver': 'FilterScheduler', 'host': 'ctl',
            }),
            samples.failure(server=OTHER, request_id=f'req-{OTHER}'),
        )

    def write(self, *decisions):
        """Write the record anew."""
        self.record.write_bytes(
            b''.join(shortening.to_line(made, 65536) for made in decisions)
        )

    def explain(self, *argv):
        """Return what a successful command prints."""
        status, out, err = self.run_command(
            'explain', '--record', str(self.record), *argv
        )
        self.assertEqual((0, ''), (status, err))
        return out

    def refused(self, *argv):
        """Return the line of a command that fails."""
        status, out, err = self.run_command('explain', *argv)
        self.assertEqual((1, ''), (status, out))
        self.assertEqual(1, err.count('\n'), err)
        return err

    def test_table(self):
        """Print the sentence, then the table, then the notes."""
        sentence, *table, when, others = self.explain(
            samples.SERVER
        ).splitlines()
        self.assertEqual(SENTENCE, sentence)
        cells = [
            ' '.join(cell.strip() for cell in column).strip()
            for column in zip(*(
                line.split('|')[1:-1] for line in table[3:-1]
            ), strict=True)
        ]
        self.assertEqual(
            ['3', 'compute-00000.example.org, compute-00001.example.org, '
             'compute-00002.example.org', 'ComputeFilter', 'rejected',
             'disabled'], cells,
        )
        self.assertEqual(
            f'2026-11-22T12:00:00.000Z, {samples.REQUEST}, decided by '
            f'FilterScheduler, on ctl', when,
        )
        self.assertEqual('1 older: --all lists them', others)

    def test_what_was_left_out(self):
        """Ask placement of a success, if the record is this scheduler's."""
        decision = samples.success()
        decision.by = {'mode': 'scheduler', 'host': 'ctl'}
        decision.placement = d.Placement('limit=9', 100, 100, offered='x')
        decision.absent = d.Rejection('no candidate from placement', 2)
        decision.hosts_total = 102
        self.write(decision)
        asked = []

        def diagnose(query):
            asked.append(query)
            if len(asked) > 1:
                raise NovaExtError('no cell')
            return d.PlacementDiagnosis(
                decision.at, query.query, offered='x',
                left_out=[d.LeftOut(['lacks VCPU'], 2, ['a', 'b'])],
            )

        self.patch(placement, 'diagnose', diagnose)
        self.assertNotIn('lack VCPU', self.explain(samples.SERVER))
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_NOVA_EXT_RECORD__FILE', str(self.record)
        ))
        (status, out, err), refused, alone = (
            self.run_command('explain', samples.SERVER, *words)
            for words in ([], [], ['--record-only'])
        )
        self.assertEqual((0, ''), (status, err))
        self.assertIn('all 2 hosts that it left out lack VCPU', out)
        self.assertIn(f'{placement_diagnosis.NOT_ASKED}: no cell', refused[1])
        self.assertNotIn('VCPU', alone[1])
        self.assertEqual([decision.placement] * 2, asked)

    def test_group_members(self):
        """Note members that were in flight, as far as this record has them."""
        own, other, later = (samples.success(), samples.success(
            server=OTHER, request_id=f'req-{OTHER}',
        ), samples.success(server=OTHER, request_id='req-later'))
        later.at = later.at.replace(later.at[:4], '2027')
        for each in own, other, later:
            each.request['hints'] = {'group': ['g']}
        self.write(other, own)
        note = '1 other server of its group got hosts within 60 s'
        told = self.explain(samples.SERVER)
        self.assertIn(note, told)
        self.assertIn(f'{OTHER} on ', told)
        self.assertIn('; other schedulers may have placed more', told)
        self.write(own, later)
        self.assertNotIn('of its group', self.explain(samples.SERVER))

    def test_request(self):
        """Find the decision by its request."""
        self.assertIn(SENTENCE, self.explain(f'req-{OTHER}'))

    def test_json(self):
        """Print sentence, outcome, rows, notes and the decision."""
        whole = json.loads(self.explain(samples.SERVER, '-f', 'json'))
        self.assertEqual(SENTENCE, whole['sentence'])
        self.assertEqual(d.NO_VALID_HOST, whole['outcome'])
        self.assertEqual(samples.SERVER, whole['server'])
        self.assertEqual(1, whole['older'])
        (row,) = whole['rows']
        self.assertEqual((3, 'ComputeFilter', 'disabled'),
                         (row['count'], row['stage'], row['reason']))
        self.assertEqual(3, len(row['hosts']))
        self.assertEqual(
            samples.SERVER,
            d.Decision.from_dict(whole['decision']).servers[0],
        )

    def test_weights(self):
        """Print raw, normalised, multiplier and contribution by host."""
        self.write(samples.success())
        lines = list(csv.reader(io.StringIO(
            self.explain(samples.SERVER, '--weights', '-f', 'csv')
        )))
        self.assertEqual(
            ['Host', 'Weigher', 'Raw', 'Normalised', 'Multiplier',
             'Contribution'], lines[0],
        )
        self.assertEqual(
            [['compute-00099.example.org', 'RAMWeigher', '40448.0', '1.0',
              '1.0', '1.0']], lines[1:2],
        )
        whole = json.loads(self.explain(samples.SERVER, '-f', 'json'))
        self.assertEqual(40448.0, whole['weights'][0]['raw'])

    def after(self, *actions, status=200, listing=200, argv=()):
        """Explain, with a cloud that has the server.

        :param actions: (name, request ID) each, the newest first.
        :param status: HTTP status of the server.
        :param listing: HTTP status of its actions.
        """
        fake = self.useFixture(fake_cloud.CloudFixture())
        url = f'{fake_cloud.COMPUTE}/servers/{samples.SERVER}'
        fake.get(url, status_code=status, json={'server': {
            'id': samples.SERVER, 'status': 'ERROR',
            'fault': {'message': 'no room', 'created': '2027'},
        }})
        listed = [
            {'action': name, 'request_id': request, 'message': 'Error',
             'start_time': f'2026-11-22T12:00:{second:02}.000000'}
            for second, (name, request) in enumerate(reversed(actions))
        ][::-1]
        fake.get(
            f'{url}/os-instance-actions', status_code=listing,
            json={'instanceActions': listed},
        )
        for action in listed:
            fake.get(
                f'{url}/os-instance-actions/{action["request_id"]}',
                json={'instanceAction': {**action, 'events': []}},
            )
        return self.explain(samples.SERVER, *argv)

    def test_no_record_yet(self):
        """Ask again where nova-scheduler has recorded nothing at all."""
        self.patch(ask_again, 'ask', lambda *asked: ask_again.Now(
            'asked again now: 0/3 hosts'
        ))
        self.record.unlink()
        self.patch(
            record_or_log, 'find',
            lambda path, wanted, *configuration: reader.find(
                self.record, wanted
            ),
        )
        status, out, err = self.run_command('explain', samples.SERVER)
        self.assertEqual((0, ''), (status, err))
        self.assertIn('; asked again now: 0/3 hosts', out)
        self.assertIn('there is no record', out)

    def test_after_the_scheduler(self):
        """Say what became of the server, where a cloud is named."""
        for forbidden in ({}, {'listing': 403}):
            self.assertIn(
                'the server\'s fault: no room\nthe server is ERROR',
                self.after(**forbidden),
            )
        self.assertNotIn('the server is', self.after(argv=['--record-only']))
        self.assertIn(
            'what became of the server is not known: the cloud can\'t be '
            'asked: 403', self.after(status=403),
        )

    def test_newest_action(self):
        """Explain its decision, though another one is newer."""
        older = f'req-{OTHER}'
        self.write(
            samples.success(request_id=older),
            samples.failure(at='2026-11-22T12:00:00.000Z'),
        )
        out = self.after(('resize', older), ('create', samples.REQUEST))
        self.assertIn('chosen from 80 of 100', out.splitlines()[0])
        self.assertNotIn(SENTENCE, out)

    def test_unrecorded(self):
        """Say so of the newest action, in place of an older decision."""
        action = 'evacuate', f'req-{OTHER}'
        sentence = (
            f'evacuate at 2026-11-22 12:00:01 UTC (req-{OTHER}): no decision '
            f'is recorded; the server\'s fault: no room'
        )
        out = self.after(action, ('create', samples.REQUEST))
        self.assertEqual(sentence, out.splitlines()[0])
        self.assertIn(f': explain {samples.REQUEST}', out)
        self.assertNotIn(SENTENCE, out)
        page = self.record.with_name('page.html')
        self.assertIn(f'{page} is not written: {sentence}', self.refused(
            samples.SERVER, '--record', str(self.record), '--html', str(page),
        ))
        whole = json.loads(self.after(
            action, ('create', samples.REQUEST), argv=['-f', 'json']
        ))
        self.assertEqual(
            (sentence, None, 2, ['the server is ERROR']), tuple(
                whole[key] for key in ('sentence', 'decision', 'older',
                                       'after')
            ),
        )

    def test_no_decision(self):
        """Tell the action, and what the record lacks."""
        self.write(samples.failure(server=OTHER, request_id=f'req-{OTHER}'))
        out = self.after(('create', samples.REQUEST), status=404)
        self.assertIn(f'({samples.REQUEST}): no decision is recorded', out)
        self.assertIn('the server was deleted', out)
        self.assertIn(f'no decision about {samples.SERVER} in', out)

    def test_yaml(self):
        """Print the same as YAML."""
        whole = yaml.safe_load(self.explain(samples.SERVER, '-f', 'yaml'))
        self.assertEqual(SENTENCE, whole['sentence'])
        self.assertEqual(3, whole['decision']['hosts_total'])

    def test_part_of_the_whole(self):
        """Take a key of JSON as a column."""
        whole = json.loads(self.explain(
            samples.SERVER, '-f', 'json', '-c', 'sentence'
        ))
        self.assertEqual({'sentence': SENTENCE}, whole)

    def test_csv(self):
        """Print rows alone where there is no place for a sentence."""
        lines = list(csv.reader(io.StringIO(
            self.explain(samples.SERVER, '-f', 'csv')
        )))
        self.assertEqual(['Count', 'Hosts', 'Stage', 'Verdict', 'Reason'],
                         lines[0])
        self.assertEqual(2, len(lines))

    def test_all(self):
        """List all decisions of a server, the newest first."""
        table = self.explain(samples.SERVER, '--all', '-f', 'json')
        rows = json.loads(table)
        self.assertEqual(
            ['no valid host', 'placed'], [row['Outcome'] for row in rows]
        )
        self.assertEqual(SENTENCE, rows[0]['Explanation'])
        self.assertIn('chosen from 80 of 100', rows[1]['Explanation'])

    def test_topic(self):
        """Explain a choice of a topic by its request."""
        request = f'req-{samples.SERVER}'
        self.write(d.Decision(
            '2026-11-22T12:00:00.000Z', request, topic='backup',
            attempts=[d.Attempt(
                '', 0, 3, ranked=['b-1', 'b-2', 'b-3'], ranked_count=3,
                weighers=[d.Weighing(
                    'Free', {'b-1': 3.0, 'b-2': 2.0, 'b-3': 1.0},
                    dict.fromkeys(('b-1', 'b-2', 'b-3'), 1.0),
                )],
            )], hosts_total=3, wanted=2, outcome=d.PLACED,
            chosen={'': ['b-1', 'b-2', 'b-3']},
        ))
        whole = json.loads(self.explain(request, '-f', 'json'))
        self.assertEqual(
            'b-1, b-2 chosen from 3 of 3 hosts; alternates b-3',
            whole['sentence'],
        )
        self.assertEqual(
            ['chosen', 'chosen', 'alternate'],
            [row['verdict'] for row in whole['rows']],
        )
        self.assertEqual(
            [1.0, 0.5, 0.0],
            [weight['contribution'] for weight in whole['weights']],
        )
        (line,) = json.loads(self.explain(request, '--all', '-f', 'json'))
        self.assertEqual('backup', line['Operation'])

    def test_dropped(self):
        """Note what is missing from the record."""
        with self.record.open('ab') as record:
            record.write(drops.encode_drops(7) + b'garbage\n')
        out = self.explain(OTHER)
        self.assertIn('7 decisions dropped', out)
        self.assertIn('1 lines that are no decision', out)

    def test_long_lists_of_hosts(self):
        """Print a few names, and how many more there are."""
        self.write(samples.failure(hosts=500))
        words = (samples.SERVER, '--max-width', '0')
        out = self.explain(*words)
        self.assertIn('compute-00004.example.org and 495 more', out)
        self.assertLess(max(map(len, out.splitlines())), 240)

    def test_control_characters(self):
        """Print no control characters that users wrote."""
        decision = samples.failure(request_id='req-\x1b[2J')
        decision.attempts[0].steps[0].rejections[0].reason = '\x1b[2J\nx'
        decision.attempts[0].steps[0].rejections[0].hosts = ['\x1b[2J']
        self.write(decision)
        for argv in ((), ('--all',)):
            out = self.explain(samples.SERVER, *argv)
            self.assertNotIn('\x1b', out)

    def test_log(self):
        """Read a stock scheduler's log in place of the record."""
        status, out, err = self.run_command(
            'explain', test_stock_log.TWO_STAGES, '--log',
            str(test_stock_log.LOG),
        )
        self.assertEqual((0, ''), (status, err))
        self.assertEqual(test_stock_log.SENTENCE, out.splitlines()[0])
        self.assertIn(test_stock_log.FROM_LOG, out)

    def test_no_rows(self):
        """Print no empty table."""
        _, out, _ = self.run_command(
            'explain', test_stock_log.TOO_BIG, '--log',
            str(test_stock_log.LOG),
        )
        self.assertEqual(
            ['no host, placement offered none',
             f'2026-11-21 13:45:22.131, {test_stock_log.TOO_BIG}',
             test_stock_log.FROM_LOG],
            out.splitlines(),
        )

    def test_configured_record(self):
        """Find the record by nova-scheduler's configuration."""
        conf = self.record.with_name('nova.conf')
        conf.write_text(f'[nova_ext_record]\nfile = {self.record}\n')
        status, out, _ = self.run_command(
            'explain', OTHER, '--config-file', str(conf)
        )
        self.assertEqual(0, status)
        self.assertIn(SENTENCE, out)

    def test_configured_log(self):
        """Read the log that is configured where the record has nothing."""
        conf = self.record.with_name('nova.conf')
        wanted = test_stock_log.TOO_BIG_SERVER
        for named in (
            f'log_file = {test_stock_log.LOG}',
            f'log_dir = {test_stock_log.LOG.parent}\n'
            f'log_file = {test_stock_log.LOG.name}',
        ):
            conf.write_text(
                f'[DEFAULT]\n{named}\n[nova_ext_record]\n'
                f'file = {self.record}\n'
            )
            status, out, err = self.run_command(
                'explain', wanted, '--config-file', str(conf)
            )
            self.assertEqual((0, ''), (status, err))
            self.assertEqual(
                'no host, placement offered none', out.splitlines()[0]
            )
            self.assertIn(
                f'read from the log {test_stock_log.LOG}, as no decision '
                f'about {wanted} in {self.record}', out,
            )
            # What neither has is said of the record.
            self.assertIn('no decision about', self.refused(
                'deadbeef-2222-2222-2222-222222222222',
                '--config-file', str(conf),
            ))
            # A decision of the record is no less true for a log.
            _, out, _ = self.run_command(
                'explain', OTHER, '--config-file', str(conf)
            )
            self.assertEqual(SENTENCE, out.splitlines()[0])

    def test_html(self):
        """Write a page, or fail in one line."""
        page = self.record.with_name('page.html')
        self.assertIn(SENTENCE, self.explain(
            samples.SERVER, '--html', str(page)
        ))
        self.assertIn(f'<h1>{SENTENCE}</h1>', page.read_text())
        for note in ('the server is ERROR', '1 older: --all lists them'):
            self.assertIn(note, self.after(
                ('create', samples.REQUEST), argv=['--html', str(page)]
            ))
            self.assertIn(f'<li>{note}</li>', page.read_text())
        missing = page.parent / 'none' / 'page.html'
        self.assertIn(f'{missing} can\'t be written', self.refused(
            samples.SERVER, '--record', str(self.record),
            '--html', str(missing),
        ))

    def test_errors(self):
        """Fail in one line each, with exit status 1."""
        self.assertIn('there is no record /no/such/file', self.refused(
            OTHER, '--record', '/no/such/file'
        ))
        self.assertIn('no decision about', self.refused(
            'deadbeef-2222-2222-2222-222222222222',
            '--record', str(self.record),
        ))
        self.assertIn('the log /no/such/file', self.refused(
            OTHER, '--log', '/no/such/file'
        ))
        self.assertIn('/no/such/conf', self.refused(
            OTHER, '--config-file', '/no/such/conf'
        ))

    def test_record_or_log(self):
        """Refuse both at once."""
        status, _, err = self.run_command(
            'explain', OTHER, '--log', 'a', '--record', 'b'
        )
        self.assertEqual(2, status)
        self.assertIn('not allowed with', err)
