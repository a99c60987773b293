"""What placement answered later, in the record."""

import io
import pathlib

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.core.explanation.explain import explain
from nova_ext.record import findings, reader, shortening, summary
from tests.unit.record import samples

QUERY = 'resources=VCPU%3A1'


def found(at, *without):
    """A line of a finding."""
    return findings.line(AskedAgain(
        f'2026-11-21T{at}.000Z', QUERY, without=list(without)
    ))


def failure(query=f'limit=9&{QUERY}', candidates=0):
    """A line of a decision at twelve."""
    return shortening.to_line(samples.failure(
        attempts=[], placement=d.Placement(query, candidates)
    ), 65536)


class FindingsTest(testtools.TestCase):
    """Lines among those of decisions."""

    def asked_again(self, *lines):
        """What is found with the decision."""
        result = reader.search([io.BytesIO(b''.join(lines))], samples.SERVER)
        self.assertEqual((1, 0), (result.matches, result.garbage))
        return result.decisions[0].asked_again

    def test_nearest(self):
        """Of several of the shape, before the decision or after it."""
        for second, nearest in (('05', 'after'), ('20', 'before')):
            told = self.asked_again(
                found('11:59:50', 'before'), failure(),
                found(f'12:00:{second}', 'after'),
            )
            self.assertEqual([nearest], told.without)
        self.assertEqual(AskedAgain(
            '2026-11-21T12:00:01.000Z', QUERY, without=['x']
        ), self.asked_again(found('12:00:01', 'x'), failure()))

    def test_unanswered(self):
        """Where placement did not answer, none is about the decision."""
        line = shortening.to_line(samples.failure(attempts=[], placement=(
            d.Placement(QUERY, 0, answered=False)
        )), 65536)
        self.assertIsNone(self.asked_again(line, found('12:00:01', 'x')))

    def test_of_an_old_decision(self):
        """However many findings came after it."""
        later = [
            found(f'12:{minute:02}:{second:02}', 'x')
            for minute in range(1, 59) for second in (0, 20, 40)
        ]
        told = self.asked_again(
            found('11:59:59', 'nearest'), failure(), *later
        )
        self.assertEqual(['nearest'], told.without)

    def test_far(self):
        """More than an hour away, be it the day before."""
        for when in ('11-21T10:59:59', '11-21T13:00:01', '11-20T12:00:00'):
            line = found('12:00:00', 'x').replace(
                b'11-21T12:00:00', when.encode()
            )
            self.assertIsNone(self.asked_again(line, failure()), when)

    def test_more(self):
        """Of a failure that reached the limit, within two minutes."""
        demands = found('12:00:01', 'x')
        for at, near in (('12:01:59', True), ('12:02:01', False),
                         ('11:58:01', True), ('11:57:59', False)):
            more = findings.line(AskedAgain(
                f'2026-11-21T{at}.000Z', QUERY, candidates=0,
            ))
            step = d.Attempt('', 0, 1)
            limited = shortening.to_line(samples.failure(
                attempts=[step], absent=d.Rejection('no candidate', 1, ['b']),
                operation='first boot',
                placement=d.Placement(f'limit=1&{QUERY}', 1, 1),
            ), 65536)
            told = self.asked_again(demands, limited, more)
            self.assertEqual(near, told is not None, at)
            self.assertEqual(
                ['x'], self.asked_again(demands, failure(), more).without
            )

    def test_times_of_no_zone(self):
        """They are UTC's."""
        line = found('12:00:01', 'x').replace(b'000Z', b'000')
        self.assertEqual(
            ['x'], self.asked_again(line, failure()).without
        )

    def test_other_decisions(self):
        """Of another shape, or with candidates."""
        self.assertIsNone(self.asked_again(
            found('12:00:01', 'x'), failure('resources=VCPU%3A2')
        ))
        self.assertIsNone(self.asked_again(
            found('12:00:01', 'x'), failure(candidates=1)
        ))

    def test_garbage(self):
        """A line that only begins like a finding is counted."""
        line = found('12:00:01', 'x')
        for broken in (line[:-3] + b'\n', line.replace(b'"query"', b'"q"'),
                       line.replace(b'12:00:01', b'25:61:99'),
                       line.replace(b'"without":["x"]', b'"hosts":7'),
                       line.replace(b'"without":["x"]', b'"without":[7]')):
            result = reader.search(
                [io.BytesIO(failure() + broken)], samples.SERVER
            )
            self.assertEqual((1, 1), (result.lines, result.garbage))

    def test_summary(self):
        """A finding is no decision."""
        record = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('record')
        )
        record.write_bytes(failure() + found('12:00:01', 'x'))
        told = summary.summarize(record)
        self.assertEqual((1, 0), (told.decisions, told.garbage))

    def test_explained(self):
        """The sentence ends with it."""
        decision = samples.failure(
            attempts=[], hosts_total=3, placement=d.Placement(QUERY, 0),
            absent=d.Rejection('no candidate from placement', 3),
            asked_again=AskedAgain(
                '2026-11-21T12:00:05.000Z', QUERY, without=['VCPU:1']
            ),
        )
        self.assertEqual(
            '0/3 hosts, placement offered none: 3 no candidate from '
            'placement; asked again at 12:00:05 UTC, placement offers a host '
            'without VCPU:1', explain(decision).sentence,
        )
