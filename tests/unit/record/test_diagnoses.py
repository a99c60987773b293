"""Test diagnoses of placement in the record."""

import io

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.record import diagnoses, reader, summary
from tests.unit.record import samples

QUERY = 'resources=VCPU%3A1'


def diagnosis_line(at, *without):
    """Return a line that is a diagnosis."""
    return diagnoses.to_line(PlacementDiagnosis(
        f'2026-11-21T{at}.000Z', QUERY, without=list(without)
    ))


def failure(query=f'limit=9&{QUERY}', candidates=0):
    """Return a line that is a decision, at 12:00."""
    return samples.failure_line(
        attempts=[], placement=d.Placement(query, candidates)
    )


class DiagnosesTest(samples.RecordTestCase):
    """Read diagnoses among decisions."""

    def asked_again(self, *lines):
        """Return the diagnosis that is found with the decision."""
        result = reader.search([io.BytesIO(b''.join(lines))], samples.SERVER)
        self.assertEqual((1, 0), (result.matches, result.garbage))
        return result.decisions[0].asked_again

    def test_nearest(self):
        """Take the nearest in time, before the decision or after it."""
        for second, nearest in (('05', 'after'), ('20', 'before')):
            diagnosis = self.asked_again(
                diagnosis_line('11:59:50', 'before'), failure(),
                diagnosis_line(f'12:00:{second}', 'after'),
            )
            self.assertEqual([nearest], diagnosis.without)
        self.assertEqual(PlacementDiagnosis(
            '2026-11-21T12:00:01.000Z', QUERY, without=['x']
        ), self.asked_again(diagnosis_line('12:00:01', 'x'), failure()))

    def test_unanswered(self):
        """Take none where placement did not answer."""
        line = samples.failure_line(
            attempts=[], placement=d.Placement(QUERY, 0, answered=False)
        )
        self.assertIsNone(
            self.asked_again(line, diagnosis_line('12:00:01', 'x'))
        )

    def test_of_an_old_decision(self):
        """Take the nearest, however many came after it."""
        later = [
            diagnosis_line(f'12:{minute:02}:{second:02}', 'x')
            for minute in range(1, 59) for second in (0, 20, 40)
        ]
        diagnosis = self.asked_again(
            diagnosis_line('11:59:59', 'nearest'), failure(), *later
        )
        self.assertEqual(['nearest'], diagnosis.without)

    def test_far(self):
        """Take none that is more than an hour away."""
        for when in ('11-21T10:59:59', '11-21T13:00:01', '11-20T12:00:00'):
            line = diagnosis_line('12:00:00', 'x').replace(
                b'11-21T12:00:00', when.encode()
            )
            self.assertIsNone(self.asked_again(line, failure()), when)

    def test_more(self):
        """Take one within two minutes where the limit was reached."""
        demands = diagnosis_line('12:00:01', 'x')
        for at, near in (('12:01:59', True), ('12:02:01', False),
                         ('11:58:01', True), ('11:57:59', False)):
            more = diagnoses.to_line(PlacementDiagnosis(
                f'2026-11-21T{at}.000Z', QUERY, candidates=0,
            ))
            step = d.Attempt('', 0, 1)
            limited = samples.failure_line(
                attempts=[step], absent=d.Rejection('no candidate', 1, ['b']),
                operation='first boot',
                placement=d.Placement(f'limit=1&{QUERY}', 1, 1),
            )
            diagnosis = self.asked_again(demands, limited, more)
            self.assertEqual(near, diagnosis is not None, at)
            self.assertEqual(
                ['x'], self.asked_again(demands, failure(), more).without
            )

    def test_times_of_no_zone(self):
        """Read times without a zone as UTC."""
        line = diagnosis_line('12:00:01', 'x').replace(b'000Z', b'000')
        self.assertEqual(
            ['x'], self.asked_again(line, failure()).without
        )

    def test_other_decisions(self):
        """Take none for another query, or where there were candidates."""
        self.assertIsNone(self.asked_again(
            diagnosis_line('12:00:01', 'x'), failure('resources=VCPU%3A2')
        ))
        self.assertIsNone(self.asked_again(
            diagnosis_line('12:00:01', 'x'), failure(candidates=1)
        ))
        more = PlacementDiagnosis(
            '2026-11-21T12:00:01.000Z', QUERY, candidates=0
        )
        self.assertIsNone(self.asked_again(
            diagnoses.to_line(more), failure(candidates=1)
        ))

    def test_garbage(self):
        """Count a line as garbage that only begins like a diagnosis."""
        line = diagnosis_line('12:00:01', 'x')
        for broken in (line[:-3] + b'\n', line.replace(b'"query"', b'"q"'),
                       line.replace(b'12:00:01', b'25:61:99'),
                       line.replace(b'"without":["x"]', b'"hosts":7'),
                       line.replace(b'"without":["x"]', b'"without":[7]')):
            result = reader.search(
                [io.BytesIO(failure() + broken)], samples.SERVER
            )
            self.assertEqual((1, 1), (result.lines, result.garbage))

    def test_summary(self):
        """Count a diagnosis as no decision."""
        self.path.write_bytes(failure() + diagnosis_line('12:00:01', 'x'))
        counts = summary.summarize(self.path)
        self.assertEqual((1, 0), (counts.decisions, counts.garbage))
