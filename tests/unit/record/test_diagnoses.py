"""Test diagnoses of placement in the record."""

import io

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.record import diagnoses, reader, summary
from tests.unit.record import samples

QUERY = 'limit=9&resources=VCPU%3A1'
#: A line of a release that asked with demands left out.
OLD_LINE = (
    b'{"version":1,"at":"2026-11-21T12:00:01.000Z","asked_again":{"query":'
    b'"limit=9&resources=VCPU%3A1","offers":true,"without":["VCPU:1"]}}\n'
)


def diagnosis_line(at, *lacks, offered='x', **fields):
    """Return a line that is a diagnosis."""
    return diagnoses.to_line(PlacementDiagnosis(
        f'2026-11-21T{at}.000Z', QUERY, **{
            'scheduler': 'ctl-1', 'offered': offered,
            'left_out': [d.LeftOut([clause], 3) for clause in lacks],
            **fields,
        }
    ))


def failure(query=QUERY, **placement):
    """Return a line that is a decision, at 12:00; it took 1 s."""
    return samples.failure_line(
        attempts=[], by={'mode': 'scheduler', 'host': 'ctl-1'}, seconds=1.0,
        placement=d.Placement(query, 0, **{'offered': 'x', **placement}),
        absent=d.Rejection('no candidate from placement', 3),
    )


class DiagnosesTest(samples.RecordTestCase):
    """Read diagnoses among decisions."""

    def asked_again(self, *lines):
        """Return the diagnosis that is found with the decision."""
        result = reader.search([io.BytesIO(b''.join(lines))], samples.SERVER)
        self.assertEqual((1, 0), (result.matches, result.garbage))
        return result.decisions[0].asked_again

    def test_first(self):
        """Take the first that was made after the decision's end."""
        for lines in (
            [diagnosis_line('11:59:59', 'before'),
             diagnosis_line('12:00:00', 'meanwhile'),
             diagnosis_line('12:00:05', 'after'),
             diagnosis_line('12:01:05', 'later')],
            [diagnosis_line('12:01:05', 'later'),
             diagnosis_line('12:00:05', 'after')],
        ):
            diagnosis = self.asked_again(failure(), *lines)
            self.assertEqual(
                [d.LeftOut(['after'], 3)], diagnosis.left_out
            )
            self.assertEqual(4.0, diagnosis.after_s)

    def test_before(self):
        """Take none from before, not even the only one."""
        self.assertIsNone(self.asked_again(
            diagnosis_line('11:59:59', 'x'), failure()
        ))

    def test_changed(self):
        """Say of the first that it offers others, whatever comes later."""
        diagnosis = self.asked_again(
            failure(), diagnosis_line('12:00:05', offered='y'),
            diagnosis_line('12:01:05', 'later'),
        )
        self.assertTrue(diagnosis.changed)
        self.assertEqual([], diagnosis.left_out)

    def test_other_decisions(self):
        """Take none of another query, scheduler or outage, nor too late."""
        line = diagnosis_line('12:00:05', 'x')
        for decision, diagnosis in (
            (failure('limit=8&resources=VCPU%3A1'), line),
            (failure(answered=False), line),
            (failure(offered=''), line),
            (failure(), diagnosis_line('12:00:05', 'x', scheduler='ctl-2')),
            (failure(), diagnosis_line('12:06:00', 'x')),
        ):
            self.assertIsNone(self.asked_again(decision, diagnosis))

    def test_older_release(self):
        """Its lines are read, and explain nothing."""
        self.assertIsNone(self.asked_again(failure(), OLD_LINE))

    def test_times_of_no_zone(self):
        """Read times without a zone as UTC."""
        line = diagnosis_line('12:00:05', 'x').replace(b'000Z', b'000')
        self.assertEqual(4.0, self.asked_again(failure(), line).after_s)

    def test_garbage(self):
        """Count a line as garbage that only begins like a diagnosis."""
        line = diagnosis_line('12:00:01', 'x')
        for broken in (line[:-3] + b'\n', line.replace(b'"query"', b'"q"'),
                       line.replace(b'12:00:01', b'25:61:99'),
                       line.replace(b'"left_out":[', b'"left_out":[7,'),
                       line.replace(b'"lacks":["x"]', b'"lacks":[7]')):
            self.assertNotEqual(line, broken)
            result = reader.search(
                [io.BytesIO(failure() + broken)], samples.SERVER
            )
            self.assertEqual((1, 1), (result.lines, result.garbage), broken)

    def test_summary(self):
        """Take a diagnosis for no garbage."""
        self.path.write_bytes(
            failure() + diagnosis_line('12:00:01', 'x') + OLD_LINE
        )
        counts = summary.summarize(self.path)
        self.assertEqual(0, counts.garbage)
