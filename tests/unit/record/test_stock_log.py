"""Test reading failures from a log that Nova's own scheduler wrote."""

import io
import json
import pathlib
from unittest import mock

import fixtures
import testtools

from nova_ext.core.base import errors
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.host_counts import count_hosts
from nova_ext.record import stock_log

#: Written by Nova 34.0.0 at DEBUG, with the formats of oslo.log: the requests
#: below, without the lines of its weighers.
LOG = pathlib.Path(__file__).with_name('stock-scheduler.log')

BOOT_OF_TWO = 'req-c4ec3009-e68a-4c6d-999b-02d9462e4d31'
SECOND = '6dce724d-732c-4510-8349-bd2850e0765f'
TOO_BIG = 'req-65a0d0e7-d6bf-4df6-9ba9-b7aaca96e999'
TOO_BIG_SERVER = 'beb3ea04-4a4f-4f22-a197-91cffb76d811'
TWO_STAGES = 'e9b28810-b689-4495-9c4c-adb991cb8155'
TWO_STAGES_REQUEST = 'req-938c0acd-c828-4750-b64c-e0aa4160b2f8'
DISABLED = '91d8d012-2c79-4cc6-9c7e-f2f7b7367158'
MIGRATION = 'req-4b84bc45-bbc6-404a-b858-96bd0f8f9443'
MIGRATED = '7d38237d-6ff9-4652-ae56-d7e00bcdfd48'
RAISED = 'req-9540b3d8-e970-4812-a6db-4c0d7889f84f'
CALLER = 'req-00000000-c828-4750-b64c-e0aa4160b2f8'
NO_SUCH_HOST = 'req-9a903f62-2b7f-496a-b7f4-072fe6e52d9b'

SENTENCE = (
    '0/3 hosts that reached the filters: 1 rejected by ComputeFilter, 2 '
    'rejected by IoOpsFilter'
)
FROM_LOG = (
    'read from a log: it counts hosts by filter; weights, claims, and most '
    'names and reasons are not in it'
)
OPEN_END = (
    'how the request ended is not in the log: once it has placed several '
    'servers, Nova asks the filters again, for alternates'
)


class StockLogTestCase(testtools.TestCase):
    """Search a log."""

    log = str(LOG)

    def decision(self, wanted):
        """Return the newest decision."""
        return stock_log.find(self.log, wanted).decisions[0]

    def explained(self, wanted):
        """Explain the newest decision."""
        decision = self.decision(wanted)
        return explain(
            decision, wanted if wanted in decision.servers else ''
        )

    def says(self, sentence, wanted):
        """Assert on the sentence that explains the newest decision."""
        self.assertEqual(sentence, self.explained(wanted).sentence)

    def refused(self, wanted=TWO_STAGES):
        """Return the one line of an error."""
        return str(self.assertRaises(
            errors.RecordError, self.decision, wanted
        ))

    def write(self, content):
        """Write the log."""
        self.log = self.useFixture(fixtures.TempDir()).join('scheduler.log')
        pathlib.Path(self.log).write_bytes(content)

    def lines(self, *messages, logger='nova.scheduler.manager'):
        """Return lines of one request."""
        return ''.join(
            f'2026-11-21 13:45:30.206 1 INFO {logger} [None '
            f'{TWO_STAGES_REQUEST} u p - - - -] {message}\n'
            for message in messages
        ).encode()


class DebugTest(StockLogTestCase):
    """Read a log at DEBUG, which names servers."""

    def test_filters(self):
        """Count hosts by filter, and say what is missing."""
        explained = self.explained(TWO_STAGES)
        self.assertEqual(SENTENCE, explained.sentence)
        self.assertEqual(d.NO_VALID_HOST, explained.outcome)
        self.assertIn(FROM_LOG, explained.notes)
        self.assertNotIn(OPEN_END, explained.notes)
        self.says(
            '0/3 hosts that reached the filters: 3 rejected by ComputeFilter',
            DISABLED,
        )

    def test_no_candidates(self):
        """Find a request without candidates by its server, too."""
        for wanted in (TOO_BIG, TOO_BIG_SERVER):
            self.says('no host, placement offered none', wanted)

    def test_no_answer(self):
        """Tell an answer without candidates from no answer."""
        logged = LOG.read_text()
        (line,) = (
            line for line in logged.splitlines()
            if TOO_BIG in line and 'Got no allocation candidates' in line
        )
        before, _, _ = line.partition('Got no allocation candidates')
        for wrong in (
            'Failed to retrieve allocation candidates from placement API for '
            'filters: RequestGroup(...)\nGot 503: busy.',
            'Placement API service is not responding.',
            'The placement API endpoint was not found.',
            'No authentication information found for placement API.',
            'Placement service credentials do not work.',
            'Discovering suitable URL for placement API failed.',
        ):
            self.write(
                logged.replace(line, f'{before}{wrong}\n{line}').encode()
            )
            self.says('no host, placement did not answer', TOO_BIG)

    def test_refused(self):
        """Tell placement's own words, where it refused the query."""
        logged = LOG.read_text()
        (line,) = (
            line for line in logged.splitlines()
            if TOO_BIG in line and 'Got no allocation candidates' in line
        )
        before, _, _ = line.partition('Got no allocation candidates')
        error = (
            'Failed to retrieve allocation candidates from placement API for '
            'filters: RequestGroup(...)'
        )
        words = (
            'Got 400: {"errors": [{"status": 400, "detail": "It could not '
            'comply.\\n\\n No such trait(s): CUSTOM_X.  "}]}.'
        )
        for heading in ('', 'Nov 23 12:00:00 ctl-1 nova-scheduler[7]: '):
            self.write(logged.replace(
                line, f'{before}{error}\n{heading}{words}\n{line}'
            ).encode())
            self.says(
                'no host, placement refused the query (400: No such trait(s): '
                'CUSTOM_X.)', TOO_BIG,
            )
        # The second line of another message.
        self.write(logged.replace(
            line, f'{before}{error}\n{before}other\n{words}\n{line}'
        ).encode())
        self.says('no host, placement did not answer', TOO_BIG)

    def test_raised(self):
        """Report the error that ended a request."""
        self.says("no host, KeyError: 'x\\ny'", RAISED)
        self.assertEqual(d.FAILED, self.decision(RAISED).outcome)

    def test_no_such_host(self):
        """Report a refusal before any question."""
        self.says(
            'no host, No host-to-cell mapping found for selected host cmp-9',
            NO_SUCH_HOST,
        )

    def test_success(self):
        """Find no success, and refer to the record."""
        for wanted in (BOOT_OF_TWO, SECOND, MIGRATION, MIGRATED):
            error = self.refused(wanted)
            self.assertIn(f'no failed scheduling of {wanted}', error)
            self.assertIn('is in the record', error)

    def test_alternates(self):
        """Ignore filters that leave no host for alternates."""
        logged = LOG.read_bytes()
        (last,) = (
            line for line in logged.splitlines(keepends=True)
            if b'Selected host' in line and SECOND.encode() in line
        )
        removal = self.lines(
            f"Filtering removed all hosts for the request with instance ID "
            f"'{SECOND}'. Filter results: ['AFilter: (start: 3, end: 0)']",
            logger='nova.filters',
        ).replace(TWO_STAGES_REQUEST.encode(), BOOT_OF_TWO.encode())
        self.write(logged.replace(last, last + removal))
        for wanted in (SECOND, BOOT_OF_TWO):
            self.assertIn('no failed scheduling', self.refused(wanted))
        self.write(logged.replace(last, removal))
        self.says(
            'none of 2 servers, since a request is placed as a whole and its '
            'server 2 found no host: 0/3 hosts that reached the filters: 3 '
            'rejected by AFilter', SECOND,
        )


class InfoTest(StockLogTestCase):
    """Read a log at INFO, the default."""

    def setUp(self):
        """Leave out what is not logged at INFO."""
        super().setUp()
        self.write(b''.join(
            line for line in LOG.read_bytes().splitlines(keepends=True)
            if b' DEBUG ' not in line
        ))

    def test_filters(self):
        """Report the counts, and that the end is unknown."""
        for wanted in (TWO_STAGES, TWO_STAGES_REQUEST):
            explained = self.explained(wanted)
            self.assertEqual(SENTENCE, explained.sentence)
            self.assertEqual('', explained.outcome)
            self.assertIn(FROM_LOG, explained.notes)
            self.assertIn(OPEN_END, explained.notes)

    def test_conductor(self):
        """Take the end from a conductor's line in the same log."""
        self.write(pathlib.Path(self.log).read_bytes() + self.lines(
            'Failed to compute_task_build_instances: No valid host was found. '
            'There are not enough hosts available.: nova.exception_Remote.'
            'NoValidHost_Remote: No valid host was found. ',
            logger='nova.scheduler.utils',
        ))
        (decision,) = stock_log.find(self.log, TWO_STAGES).decisions
        self.assertEqual(d.NO_VALID_HOST, decision.outcome)
        self.says(SENTENCE, TWO_STAGES)

    def test_no_candidates(self):
        """Find it by the request's id alone."""
        self.says('no host, placement offered none', TOO_BIG)
        self.assertIn('try the request id', self.refused(TOO_BIG_SERVER))

    def test_raised(self):
        """Report the error alone."""
        self.says("no host, KeyError: 'x\\ny'", RAISED)

    def test_success(self):
        """Find no success."""
        for wanted in (BOOT_OF_TWO, SECOND, MIGRATION, MIGRATED):
            self.assertIn('no failed scheduling', self.refused(wanted))


class MessagesTest(StockLogTestCase):
    """Read messages of Nova's, combined as the test needs them."""

    def removal(self, results):
        """Return what Nova logs where filters leave no host."""
        return (
            f"Filtering removed all hosts for the request with instance ID "
            f"'{TWO_STAGES}'. Filter results: [{results}]"
        )

    def down(self, host):
        """Return what ComputeFilter logs of a host that is down."""
        return (
            f'({host}, {host}) ram: 512MB disk: 0MB io_ops: 0 instances: 1, '
            f'allocation_candidates: 1 has not been heard from in a while'
        )

    def filtered(self, *messages, logger='nova.scheduler.filters.compute'):
        """Write messages, and what became of three hosts."""
        self.write(self.lines(*messages, logger=logger) + self.lines(
            self.removal("'ComputeFilter: (start: 3, end: 2)', 'AFilter: "
                         "(start: 2, end: 0)'")
        ))

    def test_down(self):
        """Name the hosts that Nova warns of."""
        self.filtered(self.down('a'), self.down('a'))
        self.says(
            '0/3 hosts that reached the filters: 1 down (ComputeFilter), 2 '
            'rejected by AFilter', TWO_STAGES,
        )
        (step, _) = self.decision(TWO_STAGES).attempts[0].steps
        self.assertEqual(['a'], step.rejections[0].hosts)

    def test_more_down_than_rejected(self):
        """Name none where more are down than were rejected."""
        self.filtered(self.down('a'), self.down('b'))
        self.says(
            '0/3 hosts that reached the filters: 1 rejected by ComputeFilter, '
            '2 rejected by AFilter', TWO_STAGES,
        )

    def test_no_host_for_the_filters(self):
        """Report that no host reached the filters."""
        empty = self.removal("'ComputeFilter: (start: 0, end: 0)'")
        no_match = (
            'No hosts matched due to not matching requested destination '
            '(cmp-9, cmp-9)'
        )
        for messages, sentence in (
            ([empty], 'no host, none reached the filters'),
            ([no_match], f'no host, {no_match}'),
            ([no_match, empty], f'no host, {no_match}'),
        ):
            self.write(self.lines(*messages))
            (decision,) = stock_log.find(
                self.log, TWO_STAGES_REQUEST
            ).decisions
            self.assertEqual(d.NO_VALID_HOST, decision.outcome)
            self.assertEqual(sentence, explain(decision).sentence)

    def test_other_ends(self):
        """Quote the log on other ends."""
        for message, sentence, outcome in (
            ('Tenant acme has no available aggregates: nova.exception…',
             'no host, Tenant acme has no available aggregates',
             d.NO_VALID_HOST),
            ('filter GpuFilter raised KeyError: 1',
             'no host, filter GpuFilter raised KeyError', d.FAILED),
            ('Failed to compute_task_migrate_server: No valid host was '
             'found. There are not enough hosts available.: nova.exception_'
             'Remote.NoValidHost_Remote',
             'no host, There are not enough hosts available',
             d.NO_VALID_HOST),
        ):
            self.write(self.lines(message))
            decision = self.decision(TWO_STAGES_REQUEST)
            self.assertEqual(outcome, decision.outcome)
            self.says(sentence, TWO_STAGES_REQUEST)

    def test_error_after_the_filters(self):
        """Ignore another service's error in the same log."""
        self.write(self.lines(
            self.removal("'AFilter: (start: 1, end: 0)'"),
            'Exception during message handling: KeyError: 1',
        ))
        self.says('0/1 host that reached the filters: 1 rejected by AFilter',
                  TWO_STAGES)
        self.assertEqual('', self.decision(TWO_STAGES).outcome)

    def test_asked_twice(self):
        """Tell apart two schedulings of one request."""
        refusal = 'Got no allocation candidates from the Placement API. This'
        self.write(self.lines(
            refusal, 'Placement API service is not responding.', refusal,
        ))
        decisions = stock_log.find(self.log, TWO_STAGES_REQUEST).decisions
        self.assertEqual([False, True],
                         [x.placement.answered for x in decisions])
        self.write(self.lines(
            f"Starting to schedule for instances: ['{TWO_STAGES}']",
            'Selected host: (a, a) ram: 512MB',
            f"Starting to schedule for instances: ['{TWO_STAGES}']",
            self.removal("'AFilter: (start: 1, end: 0)'"),
        ))
        (decision,) = stock_log.find(self.log, TWO_STAGES).decisions
        self.assertEqual(d.NO_VALID_HOST, decision.outcome)

    def test_other_loggers(self):
        """Ignore the same words of other loggers."""
        self.write(self.lines(
            self.removal("'AFilter: (start: 1, end: 0)'"), logger='neutron'
        ))
        self.assertIn('no failed scheduling', self.refused())

    def test_cut_short(self):
        """Ignore a line that breaks off."""
        self.write(self.lines(
            self.removal("'AFilter: (start: 3, end: 0)'").rstrip(']')
        ))
        self.assertIn('no failed scheduling', self.refused())


class SourceTest(StockLogTestCase):
    """Read a log from several sources."""

    def test_standard_input(self):
        """Read a log through a pipe."""
        self.log = '-'
        stdin = mock.Mock(buffer=io.BytesIO(LOG.read_bytes()))
        with mock.patch('sys.stdin', stdin):
            self.assertEqual(d.NO_VALID_HOST, self.decision(DISABLED).outcome)

    def test_interleaved(self):
        """Ignore lines of other requests in between."""
        mine = [
            line for line in LOG.read_text().splitlines()
            if TWO_STAGES_REQUEST in line
        ]
        other = [
            line.replace('req-938c0acd', 'req-11111111')
            .replace(TWO_STAGES, TWO_STAGES[::-1]) for line in mine
        ]
        before = self.decision(TWO_STAGES)
        self.write('\n'.join(
            line for pair in zip(mine, other, strict=True) for line in pair
        ).encode())
        self.assertEqual(before, self.decision(TWO_STAGES))

    def test_cut_anywhere(self):
        """Add up, wherever a log breaks off."""
        lines = [
            line for line in LOG.read_bytes().splitlines(keepends=True)
            if TWO_STAGES_REQUEST.encode() in line
        ]
        explained = 0
        for end in range(1, len(lines)):
            self.write(b''.join(lines[:end]) + lines[end][:200])
            try:
                decision = self.decision(TWO_STAGES)
            except errors.RecordError:
                continue
            explained += 1
            counted = count_hosts(decision)
            self.assertEqual(
                counted.total,
                counted.passed + sum(g.count for g in counted.groups),
            )
        self.assertLess(0, explained)

    def test_callers_request_id(self):
        """Find a request by another service's id of it."""
        caller = 'req-22222222-2222-2222-2222-222222222222'
        self.write(LOG.read_bytes().replace(
            b'[None req-938c0acd', f'[{caller} req-938c0acd'.encode()
        ))
        self.assertEqual([TWO_STAGES], self.decision(caller).servers)

    def test_absent(self):
        """Refuse a missing file."""
        self.log = '/no/such/log'
        self.assertEqual(
            'the log /no/such/log can\'t be read: No such file or directory',
            self.refused(),
        )

    def test_empty(self):
        """Refuse an empty file."""
        self.write(b'')
        self.assertIn('is empty', self.refused())

    def test_no_log(self):
        """Refuse a file that is no log."""
        self.write(b'\xff\x00\n' * 5)
        self.assertIn('none of the 5 lines', self.refused())

    def test_no_such_request(self):
        """Say what was searched."""
        other = TOO_BIG[:-4] + '0000'
        lines = len(LOG.read_text().splitlines())
        message = self.refused(other)
        self.assertIn(
            f'no failed scheduling of {other} in the {lines} lines', message
        )
        self.assertIn('2026-11-21 13:45:17.329', message)


KILO = (
    f'2015-03-20 13:29:27.854 12001 INFO nova.filters [{TOO_BIG} admin admin] '
    'Filter RetryFilter returned 0 hosts\n'
    f'2015-03-20 13:29:27.855 12001 INFO nova.filters [{TOO_BIG} a b] '
    "Filtering removed all hosts for the request with reservation ID "
    f"'r-abcd1234' and instance ID '{TWO_STAGES}'. Filter results: "
    "['RetryFilter: (start: 1, end: 0)']\n"
)
RETRY = '0/1 host that reached the filters: 1 rejected by RetryFilter'


class PiecesTest(StockLogTestCase):
    """Read what people have of a log."""

    def newest(self, text):
        """Return the sentence that explains the newest failure."""
        self.write(text.encode())
        return explain(self.decision('')).sentence

    def debug(self, *before):
        """Return lines of a filter that left no host, at DEBUG."""
        return self.lines(
            *before,
            'Filter IoOpsFilter returned 0 hosts',
            f"Filtering removed all hosts for the request with instance ID "
            f"'{TWO_STAGES}'. Filter results: [('ComputeFilter', [('a', 'a'), "
            f"('b', 'b')]), ('IoOpsFilter', None)]", logger='nova.filters',
        ).decode()

    def test_last_filter(self):
        """Name the filter of the one line that is there."""
        line = self.lines(
            'Filter SpecifiedHostFilter returned 0 hosts',
            logger='nova.filters',
        ).decode()
        sentence = 'no host, SpecifiedHostFilter returned 0 hosts'
        for text in (
            line, line * 2, 'Filter SpecifiedHostFilter returned 0 hosts',
            'controller nova-scheduler[7]: Filter SpecifiedHostFilter returned'
            '\n 0 hosts\n',
        ):
            self.assertEqual(sentence, self.newest(text))
        self.write(line.encode())
        explained = self.explained(TWO_STAGES_REQUEST)
        self.assertEqual(sentence, explained.sentence)
        self.assertEqual('', explained.outcome)
        self.assertIn(OPEN_END, explained.notes)
        self.assertNotIn(FROM_LOG, explained.notes)

    def test_kilo(self):
        """Read the lines of Juno to Mitaka."""
        self.assertEqual(RETRY, self.newest(KILO))
        self.says(RETRY, TWO_STAGES)
        (decision,) = stock_log.find(self.log, TOO_BIG).decisions
        self.assertEqual([TWO_STAGES], decision.servers)

    def test_juno(self):
        """Read what Juno's driver says, which gives no reason."""
        none = 'No valid host was found.'
        for text, sentence in (
            (f"NoValidHost exception with message: '{none}'",
             'no host, Nova gives no reason'),
            (f"NoValidHost exception with message: '{none} No room.'",
             'no host, No room'),
            (f'Failed to schedule_run_instance: {none} ',
             'no host, Nova gives no reason'),
        ):
            line = self.lines(
                f'[instance: {SECOND}] {text}', logger='nova.scheduler.driver'
            ).decode()
            self.assertEqual(sentence, self.newest(line))
            self.assertEqual(sentence, self.newest(text))

    def test_request_id_cut_off(self):
        """Find a request whose id Kolla's fluentd wrote without "req-"."""
        self.write(json.dumps({
            'Payload': 'Filter DiskFilter returned 0 hosts',
            'python_module': 'nova.filters',
            'request_id': TOO_BIG.removeprefix('req-'),
        }).encode())
        self.says('no host, DiskFilter returned 0 hosts', TOO_BIG)

    def test_pasted(self):
        """Read lines of a page: escaped, wrapped, with lost colours."""
        for text in (
            KILO.replace("'", '&#39;'), KILO.replace("'", '&#x27;'),
            KILO.replace(" '", ' \u2018').replace("'", '\u2019'),
            KILO.replace(' ID', '\n   ID'), KILO.replace(': (', ':\n('),
            KILO.replace(' [req', '\n[req'),
            KILO.replace('INFO', '[01;36mINFO').replace('] F', '][00m F'),
            KILO.replace('INFO', '^[[00;36mINFO'),
        ):
            self.assertNotEqual(KILO, text)
            self.assertEqual(RETRY, self.newest(text), text)

    def test_debug_alone(self):
        """Count what DEBUG lists, but for hosts that it does not list."""
        sentence = (
            'no host, IoOpsFilter returned 0 hosts, 2 had passed ComputeFilter'
        )
        self.assertEqual(sentence, self.newest(self.debug()))
        self.says(sentence, TWO_STAGES)
        self.assertEqual(
            SENTENCE, self.newest(self.debug('Starting with 3 host(s)'))
        )

    def test_debug_counts(self):
        """Count by filter what DEBUG counts, where nothing lists it."""
        counts = [
            'Starting with 3 host(s)', 'Filter ComputeFilter returned 2 '
            'host(s)', 'Filter IoOpsFilter returned 0 hosts',
        ]
        lines = self.lines(*counts, logger='nova.filters').decode()
        for text in (lines, '\n'.join(counts)):
            self.assertEqual(SENTENCE, self.newest(text))
        self.write(lines.encode() + self.lines(
            f"Filtering removed all hosts for the request with instance "
            f"ID '{TWO_STAGES}'. Filter results: ['ComputeFilter: (start: 3, "
            f"end: 2)', 'IoOpsFilter: (start: 2, end: 0)']",
            'No valid host was found. There are not enough hosts available.',
            logger='nova.filters',
        ))
        self.assertEqual(1, len(stock_log.find(self.log, '').decisions))
        self.says(SENTENCE, TWO_STAGES)

    def test_several_attempts(self):
        """Count those of the filters that left none, not later ones."""
        self.assertEqual(SENTENCE, self.newest(self.lines(
            'Starting with 9 host(s)', 'Filter ComputeFilter returned 9 '
            'host(s)', 'Starting with 3 host(s)', 'Filter ComputeFilter '
            'returned 2 host(s)', 'Filter IoOpsFilter returned 0 hosts',
            'Starting with 7 host(s)', logger='nova.filters',
        ).decode()))

    def test_exception_alone(self):
        """Read what a server's fault says, unless a log says more."""
        text = (
            'nova.exception.NoValidHost: No valid host was found. There are '
            'not enough hosts available.'
        )
        sentence = 'no host, There are not enough hosts available'
        for line in (text, text.partition(': ')[2]):
            self.assertEqual(sentence, self.newest(line))
        self.assertEqual(RETRY, self.newest(f'{KILO}\n{text}'))

    def test_debug_and_info(self):
        """Read one failure out of both levels."""
        for before in ((), ('Starting with 3 host(s)',)):
            self.write(self.debug(*before).encode() + self.lines(
                f"Filtering removed all hosts for the request with instance "
                f"ID '{TWO_STAGES}'. Filter results: ['ComputeFilter: (start: "
                f"3, end: 2)', 'IoOpsFilter: (start: 2, end: 0)']",
                logger='nova.filters',
            ))
            self.assertEqual(
                1, len(stock_log.find(self.log, TWO_STAGES).decisions)
            )
            self.says(SENTENCE, TWO_STAGES)

    def test_conductor_alone(self):
        """Read a conductor's line without its suffix, and its server's."""
        text = self.lines(
            'Failed to compute_task_build_instances: No valid host was found. '
            'There are not enough hosts available.',
            f'[instance: {SECOND}] Setting instance to ERROR state.',
            logger='nova.scheduler.utils',
        ).decode()
        sentence = 'no host, There are not enough hosts available'
        self.assertEqual(sentence, self.newest(text))
        self.says(sentence, SECOND)
        self.assertEqual(d.NO_VALID_HOST, self.decision('').outcome)
        self.assertEqual(sentence, self.newest(
            'Failed to compute_task_build_instances: No valid host was found. '
            'There are not enough hosts available.'
        ))

    def test_newest(self):
        """Take the failure that is logged last."""
        other = KILO.replace(TOO_BIG, CALLER).replace('Retry', 'Disk')
        self.assertEqual(RETRY, self.newest(other + KILO))
        self.assertEqual(
            RETRY.replace('Retry', 'Disk'), self.newest(KILO + other)
        )

    def test_no_failure(self):
        """Say that there is none, and what is read."""
        self.write(self.lines('Starting'))
        refused = self.refused('')
        self.assertIn('no failed scheduling in the 1 lines', refused)
        self.assertIn('Lines of Nova since Juno are read', refused)
