"""Tell what hosts lacked, beside a decision."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import left_out


def diagnosed(*groups, after_s=1.5, **fields):
    """Return a decision with a diagnosis."""
    return d.Decision('', '', asked_again=d.PlacementDiagnosis(
        '', '', after_s=after_s, left_out=list(groups), **fields
    ))


class SummarizeTest(testtools.TestCase):
    """One clause with its time, whose counts add up."""

    def test_counts(self):
        """Groups of one host and of several, of several lacks."""
        self.assertEqual(
            'as placement stood 1.5 s after the decision, of 9 hosts that it '
            'left out 5 lack MEMORY_MB, 3 lack DISK_GB and VCPU and are '
            'disabled, 1 is disabled; n1: VCPU 200, at most 128 a server '
            'there', left_out.summarize(diagnosed(
                d.LeftOut(['lacks MEMORY_MB'], 5),
                d.LeftOut(['lacks DISK_GB', 'lacks VCPU', 'is disabled'], 3),
                d.LeftOut(['is disabled'], 1),
                examples=['n1: VCPU 200, at most 128 a server there'],
            )),
        )
        self.assertEqual(
            'as placement stood 75 s after the decision, the one host that '
            'it left out has forbidden trait A',
            left_out.summarize(diagnosed(
                d.LeftOut(['has forbidden trait A'], 1), after_s=75.4
            )),
        )

    def test_alike(self):
        """Hosts that lack the same are counted once."""
        self.assertEqual(
            'as placement stood 1.5 s after the decision, all 3 hosts that '
            'it left out lack VCPU',
            left_out.summarize(diagnosed(d.LeftOut(['lacks VCPU'], 3))),
        )

    def test_disk_without_query(self):
        """The diagnosis has the query that a stock record lacks."""
        decision = diagnosed(d.LeftOut(['lacks DISK_GB'], 1))
        decision.request = {'flavor': {'ephemeral_gb': 4, 'swap': 1500}}
        decision.asked_again.query = 'resources=DISK_GB:7 resources=VCPU:1'
        self.assertTrue(left_out.summarize(decision).startswith(
            'needs 7 GB of disk: 1 root, 4 ephemeral, swap 1500 MB; '
        ))

    def test_many(self):
        """The last ones are summed up."""
        summary = left_out.summarize(diagnosed(*(
            d.LeftOut([f'lacks C{n}'], 2) for n in range(9)
        )))
        self.assertIn('of 18 hosts that it left out 2 lack C0, ', summary)
        self.assertTrue(summary.endswith('2 lack C4, 8 for other reasons'))

    def test_members(self):
        """Without a count."""
        self.assertEqual(
            'as placement stood 1.5 s after the decision, every host that it '
            'left out lacks MEMORY_MB and trait A',
            left_out.summarize(diagnosed(
                d.LeftOut(['lacks MEMORY_MB', 'lacks trait A'])
            )),
        )

    def test_changed(self):
        """Not said of a success where no host is left unexplained."""
        decision = diagnosed(changed=True, after_s=22.0)
        self.assertEqual(
            'placement has changed since, or may have: it was asked 22 s '
            'after the decision', left_out.summarize(decision),
        )
        decision.outcome = d.PLACED
        self.assertEqual('', left_out.summarize(decision))
        decision.absent = d.Rejection('no candidate from placement', 1)
        self.assertIn('may have', left_out.summarize(decision))

    def test_nothing(self):
        """Changed since, nothing left out, not asked."""
        self.assertEqual(
            'placement has changed since',
            left_out.summarize(diagnosed(changed=True)),
        )
        self.assertEqual('', left_out.summarize(diagnosed()))
        self.assertEqual('', left_out.summarize(d.Decision('', '')))


class NotesTest(testtools.TestCase):
    """Which hosts, and what is not told."""

    def test_hosts(self):
        """By group."""
        self.assertEqual([
            '1.5 s later, a, b and 3 more lack MEMORY_MB',
            '1.5 s later, c is disabled',
            'of what hosts lacked in placement is not told: granular group 1, '
            'VGPU:1',
        ], list(left_out.list_notes(diagnosed(
            d.LeftOut(['lacks MEMORY_MB'], 5, ['a', 'b']),
            d.LeftOut(['is disabled'], 1, ['c']),
            d.LeftOut(['lacks VCPU']), untold=['granular group 1', 'VGPU:1'],
        ))))

    def test_not_asked(self):
        """It is said where placement could be asked."""
        absent = d.Rejection('no candidate', 1)
        for mode, notes in (('scheduler', 1), ('plugin', 0)):
            decision = d.Decision(
                '', '', by={'mode': mode}, absent=absent, outcome='failed',
                placement=d.Placement('q', 0, offered='x'),
            )
            self.assertEqual(
                notes, len(list(left_out.list_notes(decision)))
            )
