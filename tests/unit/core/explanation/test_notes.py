"""Notes on decisions."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain


def decide(*attempts, **fields):
    """Return a decision on server A in nova-ext-scheduler."""
    return d.Decision(**{
        'at': '2026-11-21T12:00:00.000Z', 'request_id': 'req-1',
        'servers': ['A'], 'outcome': d.NO_VALID_HOST,
        'attempts': list(attempts),
        'placement': d.Placement('resources=VCPU:1', 2), **fields,
    })


class UnreadHintsTest(testtools.TestCase):
    """Hints that Nova takes, and nothing reads."""

    def test_told(self):
        """Each of them, to everybody; none where it is not known."""
        note = (
            'hint reqested_host had no effect: nothing that is enabled reads '
            'it'
        )
        decision = decide(unread_hints=['reqested_host'])
        for hosts in (True, False):
            self.assertIn(note, explain(decision, hosts=hosts).notes)
        self.assertNotIn('hint', ' '.join(explain(decide()).notes))


class MissingWeightsTest(testtools.TestCase):
    """A weigher that returned NaN, which the record does not hold."""

    def test_named(self):
        """Name it and the hosts, to operators alone."""
        multipliers = {'a': 1.0, 'b': 1.0}
        decision = decide(d.Attempt('A', 0, 2, ranked=['a', 'b'], weighers=[
            d.Weighing('Odd', {'b': 2.0}, multipliers),
            d.Weighing('Even', {'a': 1.0, 'b': 2.0}, multipliers),
        ]), outcome=d.PLACED, chosen={'A': ['a']})
        notes = [
            note for note in explain(decision).notes if 'weigher' in note
        ]
        self.assertEqual([
            'weigher Odd returned no finite number for a: Nova can\'t order '
            'hosts by weight then'
        ], notes)
        self.assertNotIn(
            'no finite', ' '.join(explain(decision, hosts=False).notes)
        )


class ResizeTest(testtools.TestCase):
    """A server of an affinity group that may not stay on its host."""

    def test_option(self):
        """Name nova-api's option of a resize, and of no other move."""
        attempt = d.Attempt('A', 0, 2, [d.Step(
            'ServerGroupAffinityFilter', 'filter', 2, 0,
            [d.Rejection('affinity group is not there', 2, ['a', 'b'])],
        )])
        option = 'allow_resize_to_same_host is set, an option of nova-api'
        for action, begin in (
            ('resize', 'a resize leaves its host'),
            ('', 'if it was a resize: it leaves its host'),
            ('migrate', ''), ('live-migration', ''),
        ):
            notes = [
                note for note in explain(decide(
                    attempt, operation='move', by={'action': action}
                )).notes if option in note
            ]
            self.assertEqual(bool(begin), bool(notes), action)
            self.assertTrue(all(note.startswith(begin) for note in notes))
        for other in (
            decide(attempt, operation='first boot'),
            decide(operation='move'),
            decide(attempt, operation='move', outcome=d.PLACED),
        ):
            self.assertNotIn(option, ' '.join(explain(other).notes))


class SimulatedTest(testtools.TestCase):
    """Note that a decision is simulated."""

    def test_simulated(self):
        """Name the changes."""
        self.assertIn(
            'simulated: nothing was claimed',
            explain(decide(simulated=True)).notes,
        )
        changes = {'filters': ['A', 'B'], 'multipliers': {'W': -1.0}}
        self.assertIn(
            'simulated, with filters A, B; W times -1: nothing was claimed',
            explain(decide(simulated=True, by={'changes': changes})).notes,
        )
        self.assertNotIn('simulated', ' '.join(explain(decide()).notes))


class MirrorTest(testtools.TestCase):
    """Note how the decision was compared with the mirror's."""

    def test_mirror(self):
        """Agreement, difference and fallback, to operators alone."""
        for check, note in (
            (d.MirrorCheck(compared=2, age_s=3.21),
             'the mirror, 3.2 s old, came to the same decision'),
            (d.MirrorCheck(compared=2, age_s=3.0, differences=['a', 'b']),
             'the mirror, 3.0 s old, differs: a; b'),
            (d.MirrorCheck(fallback='pci_devices'),
             'not compared with the mirror: PCI devices'),
            (d.MirrorCheck(decides=True, age_s=3.0),
             'decided from the mirror, 3.0 s old'),
            (d.MirrorCheck(decides=True, age_s=3.0, left_out=12),
             'decided from the mirror, 3.0 s old, without 12 providers that '
             'changed and could not be read in time'),
            (d.MirrorCheck(decides=True, fallback='error', detail='KeyError'),
             'decided by Nova, and not from the mirror: an error: KeyError'),
        ):
            decision = decide(mirror=check)
            self.assertIn(note, explain(decision, hosts=True).notes)
            members = explain(decision, hosts=False).notes
            self.assertNotIn('mirror', ' '.join(members))
        nothing = explain(decide(mirror=d.MirrorCheck()), hosts=True).notes
        self.assertNotIn('mirror', ' '.join(nothing))


class AbsentStatsTest(testtools.TestCase):
    """Stats that plugins did not get."""

    def noted(self, *steps):
        """Notes on a decision that lacks two stats."""
        attempt = d.Attempt('A', 0, 3, list(steps), absent_stats=[
            d.Rejection('no stat ext:a', 7, ['h1', 'h2', 'h3']),
            d.Rejection('stat ext:b is stale', 2, ['h1', 'h2'],
                        {'h1': 'at 9 s', 'h2': 'at 8 s'}),
        ])
        decision = decide(
            attempt, outcome=d.PLACED, chosen={'A': ['h1']}
        )
        return [n for n in explain(decision).notes if ' stat ' in f' {n}']

    def test_noted(self):
        """Each with the hosts it is missing on, and how old it is."""
        self.assertEqual([
            'h1, h2, h3 and 4 more: no stat ext:a',
            'h1, h2: stat ext:b is stale at 9 s (h1); at 8 s (h2)',
        ], self.noted())

    def test_rejected_for_it(self):
        """What the sentence tells is not told again."""
        (note,) = self.noted(d.Step('F', 'filter', 4, 3, [
            d.Rejection('no stat ext:a', 1, ['h4'])
        ]))
        self.assertIn('ext:b', note)


class NotesTest(testtools.TestCase):
    """Test the other notes."""

    def test_when_and_who(self):
        """Time, request, operation, driver and scheduler."""
        explained = explain(decide(
            operation='first boot', outcome=d.PLACED,
            by={'driver': 'IPScheduler', 'host': 'ctl'},
        ))
        self.assertEqual(
            ['2026-11-21T12:00:00.000Z, req-1, first boot, decided by '
             'IPScheduler, on ctl'], explained.notes,
        )

    def test_stages_and_configuration(self):
        """Note the seconds of each stage, and the configuration."""
        explained = explain(decide(
            by={'configuration': '1234abcd'}, seconds=0.75,
            stages={'placement': 0.5, 'claims': 0.25},
        ))
        self.assertIn('configuration 1234abcd', explained.notes[0])
        self.assertIn('0.750 s: placement 0.500, claims 0.250',
                      explained.notes)

    def test_query(self):
        """Note the query of a failure."""
        query = 'resources=VCPU%3A1&required=%21COMPUTE_STATUS_DISABLED'
        self.assertIn(
            'placement was asked resources=VCPU:1&required='
            '!COMPUTE_STATUS_DISABLED',
            explain(decide(placement=d.Placement(query, 0))).notes,
        )

    def test_both_queries(self):
        """Of pinned processors Nova asks placement twice."""
        for query, second in (
            ('resources=PCPU%3A1 resources=VCPU%3A1', 'resources=VCPU:1'),
            # As earlier releases recorded it.
            ('resources=PCPU%3A1', 'for VCPU in place of PCPU'),
        ):
            for hosts in (True, False):
                self.assertIn(
                    f'placement was asked resources=PCPU:1, and then {second}',
                    explain(
                        decide(placement=d.Placement(query, 0, 0, 0)),
                        hosts=hosts,
                    ).notes,
                )

    def test_later_version(self):
        """Say that a later version wrote more."""
        self.assertIn('later nova-ext', explain(decide(version=2)).notes[-1])


class PrefiltersTest(testtools.TestCase):
    """Note what prefilters added, if anything."""

    def says(self, notes, prefilters):
        """Assert on what operators are told; others are told nothing."""
        decision = d.Decision('T', 'req-1', prefilters=prefilters)
        for hosts, expected in ((True, notes), (False, [])):
            self.assertEqual(expected, [
                note for note in explain(decision, hosts=hosts).notes
                if note.startswith('prefilters')
            ])

    def test_added(self):
        """Traits and aggregates."""
        self.says([
            'prefilters added trait A required, trait B forbidden, a host of '
            'aggregate u1 or u2, no host of aggregate u3'
        ], {
            'required_traits': ['A', 'OWNER_NOVA'],
            'forbidden_traits': ['B', 'COMPUTE_STATUS_DISABLED'],
            'aggregates': ['u1,u2'], 'forbidden_aggregates': ['u3'],
        })

    def test_of_a_log(self):
        """Nova's words, and which prefilter it was."""
        self.says([
            'prefilters added required trait A (virtio_sound_filter)'
        ], {
            'virtio_sound_filter': ['required trait A'],
            'owner_nova_filter': ['required trait OWNER_NOVA'],
        })

    def test_as_always(self):
        """What is added to every request tells nothing."""
        self.says([], None)
        self.says([], {
            'required_traits': ['OWNER_NOVA'],
            'forbidden_traits': ['COMPUTE_STATUS_DISABLED'],
        })
