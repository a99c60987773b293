"""Decisions out of a log that Nova's own scheduler wrote."""

import io
import pathlib
from unittest import mock

import fixtures
import testtools

from nova_ext.core import decision as d
from nova_ext.core import errors, weights
from nova_ext.core.explain import explain
from nova_ext.core.tally import tally
from nova_ext.record import stock_log

#: Written by Nova 34.0.0 at DEBUG, with the formats of oslo.log; the requests
#: below are in it, and some of the weighers.
LOG = pathlib.Path(__file__).with_name('stock-scheduler.log')

BOOT = 'req-a7ef55f4-dcde-416a-9563-2cc1fc68fb19'
BOOT_OF_TWO = 'req-c4ec3009-e68a-4c6d-999b-02d9462e4d31'
SECOND = '6dce724d-732c-4510-8349-bd2850e0765f'
TOO_BIG = 'req-65a0d0e7-d6bf-4df6-9ba9-b7aaca96e999'
DISABLED = '91d8d012-2c79-4cc6-9c7e-f2f7b7367158'
TWO_STAGES = 'e9b28810-b689-4495-9c4c-adb991cb8155'
ONE_DISABLED = 'req-4d3362a2-f4e3-41f7-871c-f19b52738251'
FORCED = 'req-218580d9-93a2-4f42-844e-88845c595a54'
MIGRATION = 'req-4b84bc45-bbc6-404a-b858-96bd0f8f9443'
MIGRATED = '7d38237d-6ff9-4652-ae56-d7e00bcdfd48'
CLAIM_REFUSED = 'req-60479064-7105-4426-b85c-6bb1d3d75c81'
CLAIMS_REFUSED = 'req-1aafcc5c-1e4d-4879-9d01-4aa97a95f002'
RAISED = 'req-9540b3d8-e970-4812-a6db-4c0d7889f84f'
NO_SUCH_HOST = 'req-9a903f62-2b7f-496a-b7f4-072fe6e52d9b'


class StockLogTestCase(testtools.TestCase):
    """Looks into a log."""

    log = str(LOG)

    def decision(self, wanted):
        """The newest decision."""
        return stock_log.find(self.log, wanted).decisions[0]

    def says(self, sentence, wanted):
        """Assert on what the newest decision is explained with."""
        made = self.decision(wanted)
        server = wanted if wanted in made.servers else ''
        self.assertEqual(sentence, explain(made, server).sentence)


class DebugTest(StockLogTestCase):
    """A log at DEBUG tells nearly all."""

    def test_reasons_of_filters(self):
        """Reasons that Nova's filters log, with the hosts."""
        self.says(
            '0/3 hosts that reached the filters: 3 disabled, reason: '
            'maintenance, really (ComputeFilter)', DISABLED,
        )
        self.says(
            '0/3 hosts that reached the filters: 1 disabled (ComputeFilter), '
            '2 fails I/O ops check: Max IOs per host is set to 0 '
            '(IoOpsFilter)', TWO_STAGES,
        )
        first, *_, last = self.decision(TWO_STAGES).attempts[0].steps
        self.assertEqual(['cmp-1'], first.rejections[0].hosts)
        self.assertEqual(['cmp-2', 'cmp-3'], last.rejections[0].hosts)

    def test_success(self):
        """Who was rejected, chosen and claimed, and the ranking."""
        self.says(
            'cmp-2 chosen from 2 of 3 hosts that reached the filters: 1 '
            'disabled (ComputeFilter)', ONE_DISABLED,
        )
        made = self.decision(ONE_DISABLED)
        self.assertEqual(['cmp-2', 'cmp-3'], made.attempts[0].ranked)
        (claim,) = made.claims
        self.assertEqual(('cmp-2', True), (claim.host, claim.claimed))
        self.assertEqual('2026-11-21 13:45:31.680', made.at)

    def test_weights(self):
        """Weights add up to what Nova logged, bounds are worked out."""
        (attempt,) = self.decision(MIGRATION).attempts
        for host, total in (('cmp-3', 1.3333), ('cmp-2', 0.8968)):
            parts = weights.contributions(attempt.weighers, host)
            self.assertEqual(
                ['CPUWeigher', 'RAMWeigher', 'PCIWeigher', 'IoOpsWeigher'],
                [part.weigher for part in parts],
            )
            self.assertAlmostEqual(
                total, sum(part.amount for part in parts), places=4
            )

    def test_prefilters(self):
        """What the prefilters asked for."""
        self.assertEqual(
            {'compute_status_filter': [
                'forbidden trait COMPUTE_STATUS_DISABLED'
            ]}, self.decision(BOOT).prefilters,
        )

    def test_several_servers(self):
        """A request for two: an attempt each, and one for alternates."""
        made = self.decision(SECOND)
        self.assertEqual(2, len(made.servers))
        self.assertEqual([0, 1, 1], [a.index for a in made.attempts])
        self.assertEqual(d.PLACED, made.outcome)
        self.says(
            'server 2 of 2: cmp-3 chosen from 3 of 3 hosts that reached the '
            'filters', SECOND,
        )
        self.says(
            'server 1 of 2: cmp-2 chosen from 3 of 3 hosts that reached the '
            'filters', BOOT_OF_TWO,
        )

    def test_no_candidates(self):
        """Placement offered none."""
        self.says('no host, placement offered none', TOO_BIG)

    def test_no_answer(self):
        """Nova logs the same after it has logged what went wrong."""
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
        ):
            path = self.useFixture(fixtures.TempDir()).join('wrong.log')
            pathlib.Path(path).write_text(
                logged.replace(line, f'{before}{wrong}\n{line}')
            )
            self.log = path
            self.says('no host, placement did not answer', TOO_BIG)

    def test_forced(self):
        """No filter ran."""
        self.says(
            'cmp-2 chosen from 1 of 1 host that reached the filters; filters '
            'skipped, as the request forced its host', FORCED,
        )

    def test_host_that_is_left(self):
        """A migration ignores its host."""
        self.says(
            'cmp-3 chosen from 2 of 3 hosts that reached the filters: 1 host '
            'is to be left (request)', MIGRATION,
        )

    def test_claims(self):
        """Claims that placement refused, some or all."""
        self.says(
            'cmp-3 chosen from 3 of 3 hosts that reached the filters; claim '
            'refused by placement on cmp-1 (taken meanwhile)', CLAIM_REFUSED,
        )
        self.says(
            '0/3 hosts that reached the filters: 3 claim refused by placement '
            '(taken meanwhile)', CLAIMS_REFUSED,
        )

    def test_raised(self):
        """An error ended it."""
        self.says(
            "0/3 hosts that reached the filters, KeyError: 'x\\ny': 3 "
            "undecided", RAISED,
        )

    def test_no_such_host(self):
        """What was refused before anything was asked."""
        self.says(
            'no host, No host-to-cell mapping found for selected host cmp-9',
            NO_SUCH_HOST,
        )

    def test_all_of_a_server(self):
        """Boot, migration and rebuild, the newest first."""
        found = stock_log.find(self.log, MIGRATED)
        self.assertEqual(3, found.matches)
        self.assertEqual([BOOT, MIGRATION], [
            made.request_id for made in found.decisions[:0:-1]
        ])


class InfoTest(StockLogTestCase):
    """A log at INFO tells of failures alone, by numbers."""

    def setUp(self):
        """Leave out what is not logged at INFO."""
        super().setUp()
        self.log = self.useFixture(fixtures.TempDir()).join('info.log')
        lines = LOG.read_text().splitlines(keepends=True)
        pathlib.Path(self.log).write_text(
            ''.join(line for line in lines if ' DEBUG ' not in line)
        )

    def test_failure(self):
        """Counts by filter."""
        self.says(
            '0/3 hosts that reached the filters: 1 rejected by ComputeFilter, '
            '2 rejected by IoOpsFilter', TWO_STAGES,
        )

    def test_no_candidates(self):
        """Found by the request's id alone."""
        self.says('no host, placement offered none', TOO_BIG)

    def test_raised(self):
        """Nothing else is known of it."""
        self.says("no host, KeyError: 'x\\ny'", RAISED)

    def test_success_is_not_logged(self):
        """The error says what such a log does not hold."""
        for wanted in (BOOT, MIGRATED, MIGRATION):
            error = self.assertRaises(
                errors.RecordError, self.decision, wanted
            )
            self.assertIn(f'no scheduling of {wanted}', str(error))
            self.assertIn('at INFO', str(error))


class SourceTest(StockLogTestCase):
    """Where a log comes from, and what it may be."""

    def write(self, content):
        """Have this be the log."""
        self.log = self.useFixture(fixtures.TempDir()).join('scheduler.log')
        pathlib.Path(self.log).write_bytes(content)

    def refused(self, wanted=TWO_STAGES):
        """The one line of an error."""
        return str(self.assertRaises(
            errors.RecordError, self.decision, wanted
        ))

    def test_standard_input(self):
        """A log may come through a pipe."""
        self.log = '-'
        stdin = mock.Mock(buffer=io.BytesIO(LOG.read_bytes()))
        with mock.patch('sys.stdin', stdin):
            self.assertEqual(d.NO_VALID_HOST, self.decision(DISABLED).outcome)

    def test_interleaved(self):
        """Lines of other requests in between change nothing."""
        mine = [
            line for line in LOG.read_text().splitlines()
            if 'req-938c0acd' in line
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
        """A log that breaks off still gives a sentence that adds up."""
        lines = [
            line for line in LOG.read_bytes().splitlines(keepends=True)
            if b'req-938c0acd' in line or b'req-4b84bc45' in line
        ]
        for end in range(1, len(lines)):
            self.write(b''.join(lines[:end]) + lines[end][:200])
            for wanted in (TWO_STAGES, MIGRATION):
                try:
                    made = self.decision(wanted)
                except errors.RecordError:
                    continue
                counted = tally(made)
                self.assertEqual(
                    counted.total,
                    counted.passed + sum(g.count for g in counted.groups),
                )

    def test_callers_request_id(self):
        """The id under which another service knows the request."""
        caller = 'req-22222222-2222-2222-2222-222222222222'
        self.write(LOG.read_bytes().replace(
            b'[None req-938c0acd', f'[{caller} req-938c0acd'.encode()
        ))
        self.assertEqual([TWO_STAGES], self.decision(caller).servers)

    def test_absent(self):
        """No such file."""
        self.log = '/no/such/log'
        self.assertEqual(
            'the log /no/such/log can\'t be read: No such file or directory',
            self.refused(),
        )

    def test_empty(self):
        """An empty file."""
        self.write(b'')
        self.assertIn('is empty', self.refused())

    def test_no_log(self):
        """Any other file, named as such."""
        self.write(b'\xff\x00\n' * 5)
        self.assertIn('none of the 5 lines', self.refused())

    def test_no_such_request(self):
        """It says what was looked through."""
        other = BOOT[:-4] + '0000'
        message = self.refused(other)
        self.assertIn(f'no scheduling of {other} in the 278 lines', message)
        self.assertIn('2026-11-21 13:45:11.246', message)
