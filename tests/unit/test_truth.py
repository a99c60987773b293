"""The judge of explanations, and the situations that it is for."""

import testtools

from tests.truth import generated, judge, nova_words, situations, table
from tests.truth.arrangements import Disabled, Down
from tests.truth.ask import Boot, Then
from tests.truth.explained import Explained
from tests.truth.model import (
    ALL,
    CLAIM,
    PLACEMENT,
    REQUEST,
    Left,
    Situation,
    failed,
    others,
    placed,
)
from tests.truth.run_mode import MODES, Result
from tests.truth.verdict import RIGHT, SILENT, VAGUE, WRONG, Judgement

REQUEST_ID = 'req-1'
DOWN = Left('ComputeFilter', others('c1 c2'), ('down',))
FULL = Left(PLACEMENT, 'c1 c2', ('MEMORY_MB',))
TAKEN = ('taken meanwhile',)
#: What to do, as an explanation may say it.
HINT = 'see explain --log'


def row(names, stage, reason='', verdict='rejected', **reasons):
    """A row of an explanation, of hosts by name or only by number."""
    hosts = [] if names.isdecimal() else names.split()
    return {
        'count': int(names) if names.isdecimal() else len(hosts),
        'hosts': hosts, 'stage': stage, 'verdict': verdict, 'reason': reason,
        'reasons': reasons,
    }


def explained(*rows, outcome='no valid host', sentence='', notes=(), **more):
    """What explain prints, with these rows."""
    return Explained({
        'sentence': sentence, 'outcome': outcome, 'request_id': REQUEST_ID,
        'rows': list(rows), 'notes': list(notes), **more,
        'decision': {'absent': None, 'kept_out': [], 'attempts': [{
            'steps': [{'rejections': [{'reason': 'no candidate'}]}],
        }]},
    })


def judged(told, truth, *, plugin=False):
    """The judge's verdict."""
    return judge.judge(
        told, Situation('one', None, truth), REQUEST_ID, plugin=plugin
    ).verdict


IS_DOWN = row(others('c1 c2'), 'ComputeFilter', 'down since 12:00')
LACKS = row('c1 c2', PLACEMENT, 'lacks MEMORY_MB:512')


class TestJudge(testtools.TestCase):
    """Right, vague, wrong or silent."""

    def test_right(self):
        """All hosts, each with its stage and cause."""
        self.assertEqual(RIGHT, judged(
            explained(IS_DOWN, LACKS), failed(DOWN, FULL)
        ))

    def test_vague(self):
        """Right as far as it goes, and without the cause."""
        self.assertEqual(VAGUE, judged(
            explained(IS_DOWN, row('c1 c2', PLACEMENT, 'no candidate')),
            failed(DOWN, FULL),
        ))

    def test_wrong(self):
        """Another stage, cause, count, outcome or request."""
        for told in (
            explained(row(ALL, 'ComputeFilter', 'down')),
            explained(IS_DOWN, row('c1 c2', PLACEMENT, 'disabled')),
            explained(IS_DOWN, LACKS, sentence='lacks VCPU:1'),
            explained(IS_DOWN, LACKS, row('3', 'RackFilter')),
            explained(
                IS_DOWN, row('c1 c2', '', verdict='chosen'), outcome='placed'
            ),
            explained(IS_DOWN, LACKS, request_id='req-0'),
        ):
            self.assertEqual(
                WRONG, judged(told, failed(DOWN, FULL)), told
            )

    def test_passed(self):
        """Which hosts passed, and which of them was chosen."""
        truth = placed(DOWN, on='c1')
        chosen = row('c1', '', verdict='chosen')
        for rows, expected in (
            ((IS_DOWN, chosen, row('c2', '', verdict='passed')), RIGHT),
            ((IS_DOWN, chosen), WRONG),
            ((IS_DOWN, row('c2', '', verdict='chosen'),
              row('c1', '', verdict='passed')), WRONG),
        ):
            self.assertEqual(
                expected, judged(explained(*rows, outcome='placed'), truth)
            )

    def test_refused_claim(self):
        """A host whose claim was refused passed, unless the truth has it."""
        refused = row('c2', CLAIM, 'taken meanwhile', 'refused')
        told = explained(
            IS_DOWN, row('c1', '', verdict='chosen'), refused,
            outcome='placed', sentence='refused by placement on c2',
        )
        end = ('refused by placement on c2',)
        for truth, expected in (
            (placed(DOWN, on='c1', end=end), RIGHT),
            (placed(DOWN, Left(CLAIM, 'c2', TAKEN)), RIGHT),
            (placed(DOWN, Left(CLAIM, 'c1', TAKEN)), WRONG),
        ):
            self.assertEqual(expected, judged(told, truth))

    def test_two_groups_at_a_stage(self):
        """What placement answered later divides hosts of one reason."""
        truth = failed(
            Left(PLACEMENT, '4', ('MEMORY_MB',)),
            Left(PLACEMENT, '6', ('max_placement_results',)),
        )
        both = row('10', PLACEMENT, 'no candidate or max_placement_results 3')
        for memory, verdict in ((4, RIGHT), (5, VAGUE)):
            told = explained(both)
            told.document['decision']['asked_again'] = {'left_out': [
                {'count': memory, 'hosts': [], 'lacks': ['lacks MEMORY_MB']},
                {'count': 6, 'hosts': [],
                 'lacks': ['is cut off by max_placement_results 3']},
            ]}
            self.assertEqual(verdict, judged(told, truth))

    def test_other_requests_decision(self):
        """It may stand there if it says that the newest left none."""
        told = explained(
            IS_DOWN, request_id='req-0', notes=(f'{REQUEST_ID}: {HINT}',)
        )
        self.assertEqual(SILENT, judged(told, failed(DOWN, FULL)))

    def test_silent(self):
        """It says what to do, or that is missing."""
        for message, why in (
            (HINT, ''), ('none', 'none, and not what to do'),
        ):
            self.assertEqual(
                Judgement(SILENT, why), judge.judge(
                    Explained(message=message),
                    Situation('one', None, failed(DOWN, FULL)), REQUEST_ID,
                    plugin=True,
                ),
            )

    def test_what_hosts_lack(self):
        """Placement's later answer tells it host by host."""
        both = Left(PLACEMENT, 'c1', ('MEMORY_MB',)), Left(
            PLACEMENT, 'c2', ('DISK_GB',)
        )
        for memory, disk, expected in (
            (['c1'], ['c2'], RIGHT), (['c2'], ['c1'], WRONG),
            (['c1'], [], VAGUE), (['c1', 'c3'], ['c2'], WRONG),
        ):
            told = explained(IS_DOWN, row('c1 c2', PLACEMENT, 'no candidate'))
            told.document['decision']['asked_again'] = {'left_out': [
                {'hosts': memory, 'lacks': ['lacks MEMORY_MB']},
                {'hosts': disk, 'lacks': ['lacks DISK_GB']},
            ], 'examples': ['c1: MEMORY_MB 512, 256 in all there']}
            self.assertEqual(expected, judged(told, failed(DOWN, *both)))

    def test_no_decision(self):
        """An operation left none; notes say what to do."""
        self.assertEqual(SILENT, judged(Explained({
            'sentence': 'resize: no decision', 'request_id': REQUEST_ID,
            'rows': [], 'notes': [HINT], 'decision': None,
        }), failed(DOWN, FULL)))

    def test_forced_host(self):
        """It is right that no filter was asked, if that is the host."""
        told = Explained({
            'sentence': 'create: no decision is recorded; the request forced '
                        'its host, c4: no filter was asked',
            'request_id': REQUEST_ID, 'rows': [], 'notes': [HINT],
            'decision': None,
        })
        for host, expected in (('c4', RIGHT), ('c5', SILENT)):
            truth = placed(Left(REQUEST, others(host)), on=host)
            self.assertEqual(expected, judged(told, truth, plugin=True))

    def test_unknown_hosts(self):
        """A stock scheduler's filters did not see them."""
        told = explained(IS_DOWN, row('c1 c2', '', 'not seen', 'unknown'))
        truth = failed(DOWN, FULL)
        self.assertEqual(RIGHT, judged(told, truth, plugin=True))
        self.assertEqual(SILENT, judged(told, truth))

    def test_numbers(self):
        """It may depend on chance which hosts left."""
        truth = failed(
            Left('ComputeFilter', '3', ('down',)), Left(PLACEMENT, '7')
        )
        self.assertEqual(RIGHT, judged(explained(
            row('c1 c2 c3', 'ComputeFilter', 'down'), row('7', PLACEMENT)
        ), truth))
        self.assertEqual(WRONG, judged(explained(
            row('c1 c2 c3 c4', 'ComputeFilter', 'down'), row('6', PLACEMENT)
        ), truth))

    def test_other_hosts_details(self):
        """What a row says of one host is not said of another."""
        told = explained(IS_DOWN, row(
            'c1 c2', PLACEMENT, 'no candidate and is disabled (c1)',
            c1='no candidate and is disabled',
        ))
        truth = failed(DOWN, Left(PLACEMENT, 'c1', ('disabled',)),
                       Left(PLACEMENT, 'c2'))
        self.assertEqual(RIGHT, judged(told, truth))

    def test_end(self):
        """An error is named by its plugin and its class."""
        truth = failed(end=('RackFilter', 'ValueError'))
        for sentence, expected in (
            ('RackFilter raised ValueError', RIGHT),
            ('ValueError', VAGUE),
            ('RackFilter raised KeyError', WRONG),
        ):
            self.assertEqual(expected, judged(
                explained(sentence=sentence, outcome='failed'), truth
            ))

    def test_also_true(self):
        """What is true as well may be said."""
        told = explained(row(ALL, REQUEST, 'not asked for, and down'))
        for also, expected in ((('down',), RIGHT), ((), WRONG)):
            self.assertEqual(expected, judged(told, failed(
                Left(REQUEST, ALL, ('not asked for',), also)
            )))


    def test_refused_later(self):
        """A host that the conductor refused did not get the server."""
        told = explained(
            IS_DOWN, row('c1 c2', '', verdict='refused later'),
            outcome='placed',
        )
        self.assertEqual(RIGHT, judged(
            told, failed(DOWN, Left(REQUEST, 'c1 c2', ('refused',)))
        ))
        self.assertEqual(WRONG, judged(told, placed(DOWN)))

    def test_answer_of_now(self):
        """What was changed since may be said of now, and not of then."""
        lacks = row(ALL, PLACEMENT, 'lacks MEMORY_MB and is disabled')
        truth = failed(Left(PLACEMENT, ALL, ('MEMORY_MB',)))
        situation = Situation('one', Then(Boot(), (Disabled(ALL),)), truth)
        for sentence, expected in (
            ('asked again now: disabled', RIGHT), ('disabled', WRONG),
        ):
            self.assertEqual(expected, judge.judge(
                explained(lacks, sentence=sentence), situation, REQUEST_ID,
                plugin=True,
            ).verdict)

    def test_either_stage(self):
        """The mode may decide where a host leaves."""
        truth = placed(
            Left(f'{PLACEMENT}|ComputeFilter', others('c2'), ('disabled',))
        )
        for stage, expected in (
            (PLACEMENT, RIGHT), ('ComputeFilter', RIGHT),
            ('JsonFilter', WRONG),
        ):
            self.assertEqual(expected, judged(explained(
                row(others('c2'), stage, 'disabled'),
                row('c2', '', verdict='chosen'), outcome='placed',
            ), truth))

    def test_facts(self):
        """What an arrangement made true of a host may be said of it."""
        told = explained(row(ALL, REQUEST, 'not asked for, and down'))
        truth = failed(Left(REQUEST, ALL))
        for names, expected in ((ALL, RIGHT), ('c1', WRONG)):
            self.assertEqual(expected, judge.judge(
                told, Situation('one', None, truth, (Down(names),)),
                REQUEST_ID, plugin=False,
            ).verdict)


class TestNovaWords(testtools.TestCase):
    """What Nova's own log and fault name."""

    def test_judge(self):
        """All causes, some of them, or none."""
        truth = failed(DOWN, FULL)
        for text, expected in (
            ('No valid host was found.', SILENT),
            ("['ComputeFilter: (start: 8, end: 0)']", VAGUE),
            ("['ComputeFilter: (start: 8, end: 8)']", SILENT),
            ('Filter ComputeFilter returned 0 hosts, MEMORY_MB', RIGHT),
        ):
            self.assertEqual(expected, nova_words.judge(text, truth), text)


class TestTable(testtools.TestCase):
    """Whether a run meets its goals."""

    def test_problems(self):
        """Each verdict that is not to be fails the run."""
        for mode, verdicts, count in (
            ('scheduler', [RIGHT] * 19 + [VAGUE], 0),
            ('scheduler', [RIGHT] * 18 + [VAGUE] * 2, 1),
            ('scheduler', [RIGHT] * 19 + [WRONG], 1),
            ('mirror', [RIGHT] * 19 + [VAGUE], 0),
            ('mirror', [RIGHT] * 18 + [VAGUE] * 2, 1),
            ('mirror', [RIGHT] * 19 + [WRONG], 1),
            ('plugin', [RIGHT] * 8 + [SILENT] * 2, 0),
            ('plugin', [RIGHT] * 8 + [SILENT, VAGUE], 1),
            ('plugin', [RIGHT] * 7 + [SILENT] * 3, 1),
        ):
            results = [Result('one', mode, verdict) for verdict in verdicts]
            self.assertEqual(
                count, len(list(table.list_problems(results, whole=True))),
                verdicts,
            )

    def test_every_mode(self):
        """Each mode has its goal."""
        self.assertEqual(set(MODES), set(table.GOALS))

    def test_part(self):
        """A part of the situations fails for wrong ones alone."""
        for verdict, count in ((VAGUE, 0), (WRONG, 1)):
            results = [Result('one', 'plugin', verdict)]
            self.assertEqual(
                count, len(list(table.list_problems(results, whole=False)))
            )

    def test_no_hint(self):
        """One that is silent has to say what to do."""
        results = [Result('one', 'plugin', RIGHT)] * 9 + [
            Result('one', 'plugin', SILENT, 'unknown, and not what to do')
        ]
        (problem,) = table.list_problems(results, whole=False)
        self.assertIn('what to do', problem)

    def test_page(self):
        """The documentation's table has a column for each verdict."""
        page = table.format_page([
            Result('one', 'plugin', SILENT, nova={'INFO': RIGHT})
        ])
        self.assertIn(
            '   * - explain, plugin mode\n     - 0\n     - 0\n     - 0\n'
            '     - 1\n', page
        )
        self.assertIn("   * - Nova's log at INFO, plugin mode\n", page)


class TestSituations(testtools.TestCase):
    """The situations, before any lab is asked."""

    def test_number(self):
        """There are at least 240, and no two of one name."""
        self.assertGreaterEqual(len(situations.load()), 240)

    def test_every_host_has_its_truth(self):
        """A truth that leaves a host out can't be written."""
        self.assertRaises(ValueError, failed, DOWN)
        self.assertRaises(ValueError, failed, DOWN, DOWN, FULL)

    def test_generated_again(self):
        """A seed repeats its situation."""
        self.assertEqual(generated.generate('1'), generated.generate('1'))
