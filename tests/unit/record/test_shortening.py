"""Test how a decision becomes one line of the record."""

import json
from dataclasses import replace

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.weigher_contributions import get_contributions
from nova_ext.core.explanation.explain import explain
from nova_ext.record import shortening
from tests.unit.record import samples


def through(decision, max_bytes=65536):
    """Return what a reader gets back."""
    line = shortening.to_line(decision, max_bytes)
    assert line.endswith(b'}\n') and line.count(b'\n') == 1
    assert len(line) <= max_bytes
    return d.Decision.from_dict(json.loads(line))


class ShortenTest(testtools.TestCase):
    """Keep failures in full, successes in short, all within bounds."""

    def test_failure_in_full(self):
        """Keep all names of a failure."""
        decision = samples.failure(hosts=1000)
        self.assertEqual(decision, through(decision))

    def test_success_in_short(self):
        """Cut names, and keep counts."""
        read = through(samples.success())
        (attempt,) = read.attempts
        (rejection,) = attempt.steps[0].rejections
        self.assertEqual((20, 3), (rejection.count, len(rejection.hosts)))
        self.assertEqual(80, attempt.ranked_count)

    def test_details(self):
        """Leave out details with the names, in every list."""
        def found(rejection):
            return len(rejection.hosts), set(rejection.details) == set(
                rejection.hosts
            )

        decision = samples.failure(hosts=500)
        rejection = decision.attempts[0].steps[0].rejections[0]
        rejection.details = dict.fromkeys(rejection.hosts, 'x' * 200)
        (short,) = through(decision).attempts[0].steps[0].rejections
        self.assertEqual((100, True), found(short))
        decision.outcome = d.PLACED
        (short,) = through(decision).attempts[0].steps[0].rejections
        self.assertEqual((3, True), found(short))
        decision.outcome, decision.attempts = d.NO_VALID_HOST, []
        decision.absent = rejection
        self.assertEqual((100, True), found(through(decision).absent))
        decision.absent, decision.kept_out = None, [rejection]
        (short,) = through(decision).kept_out
        self.assertEqual((100, True), found(short))

    def test_absent_stats(self):
        """Cut their hosts' names as those of rejected hosts."""
        decision = samples.success()
        names = [f'h{n}' for n in range(20)]
        decision.attempts[0].absent_stats = [d.Rejection('no stat', 20, names)]
        ((short,),) = [a.absent_stats for a in through(decision).attempts]
        self.assertEqual((20, names[:3]), (short.count, short.hosts))

    def test_success_in_full(self):
        """Keep a success in full on demand."""
        decision = samples.success()
        line = shortening.to_line(decision, 65536, in_full=True)
        read = d.Decision.from_dict(json.loads(line))
        (before,), (after,) = decision.attempts, read.attempts
        self.assertEqual(before.steps, after.steps)
        self.assertEqual(
            [w.weights for w in before.weighers],
            [w.weights for w in after.weighers],
        )

    def test_weights_normalise_as_before(self):
        """Keep the exact contributions of the few hosts with weights."""
        decision = samples.success()
        chosen, second = decision.attempts[0].ranked[:2]
        read = through(decision).attempts[0].weighers
        self.assertEqual(3, len(read[0].weights))
        for host in (chosen, second):
            self.assertEqual(
                get_contributions(decision.attempts[0].weighers, host)[0],
                get_contributions(read, host)[0],
            )

    def test_claimed_host_is_weighed(self):
        """Keep the claimed host's weights, whatever its rank."""
        decision = samples.success()
        best, second, refused, *_, last = decision.attempts[0].ranked
        decision.claims = [
            d.ClaimResult(samples.SERVER, refused, False),
            d.ClaimResult('other', refused, True),
            d.ClaimResult(samples.SERVER, last, True),
        ]
        read = through(decision).attempts[0].weighers
        self.assertEqual({last, best, second}, set(read[0].weights))

    def test_names_go_first(self):
        """Cut names before counts, at several sizes in KiB."""
        for hosts, size, names in (
            (2200, 64, 2200), (2600, 64, 1000), (20000, 64, 1000),
            (6000, 192, 6000), (20000, 192, 1000), (20000, 16, 100),
            (20000, 4, 100),
        ):
            read = through(samples.failure(hosts=hosts), size * 1024)
            (rejection,) = read.attempts[0].steps[0].rejections
            self.assertEqual(
                (hosts, names), (rejection.count, len(rejection.hosts)), size
            )
            self.assertEqual(
                [] if names == hosts
                else ['all but the first hosts of each list'], read.left_out,
            )

    def test_many_servers(self):
        """Keep each server's counts, or those of the first and the last."""
        servers = [f'{number:036}' for number in range(300)]
        one = samples.success()
        (attempt,) = one.attempts
        for number, kept in ((10, 10), (60, 60), (300, 2)):
            decision = replace(
                one, servers=servers[:number],
                attempts=[
                    replace(attempt, server=server, index=place)
                    for place, server in enumerate(servers[:number])
                ],
                chosen={server: ['a', 'b'] for server in servers[:number]},
            )
            read = through(decision)
            self.assertEqual(kept, len(read.attempts))
            for each in read.attempts[0], read.attempts[-1]:
                (step,) = each.steps
                self.assertEqual(20, step.rejections[0].count)
            self.assertEqual(
                {server: 'a' for server in servers[:number]},
                {server: hosts[0] for server, hosts in read.chosen.items()},
            )

    def test_many_reasons(self):
        """Keep the counts where each host has a reason of its own."""
        decision = samples.failure(hosts=5000)
        (step,) = decision.attempts[0].steps
        (rejection,) = step.rejections
        step.rejections = d.group_rejections(
            (host, f'{host} is not it') for host in rejection.hosts
        )
        read = through(decision)
        self.assertEqual(10, len(read.attempts[0].steps[0].rejections))
        self.assertEqual(5000, sum(row.count for row in explain(read).rows))

    def test_left_out(self):
        """Say in the explanation what is left out."""
        notes = explain(through(samples.failure(hosts=20000))).notes
        self.assertIn(
            'too long to be kept whole; left out: all but the first hosts of '
            'each list', notes,
        )
        self.assertNotIn('too long', ' '.join(explain(through(
            samples.success(hosts=20000, rejected=9000)
        )).notes))

    def test_words_of_the_user_go_before_names(self):
        """Cut a user's long words before hosts' names."""
        for word in ('x' * 70000, 'é"' * 30000):
            decision = samples.failure(hosts=500, message=word)
            decision.request = {
                'hints': {
                    'a': ['b'], 'requested_host': [word], word: word,
                    **{f'h{n}': 'y' * 300 for n in range(100)},
                },
                'flavor': {'name': 'm1.tiny'},
            }
            decision.unread_hints = [word, 'a']
            decision.placement = d.Placement(word, 500)
            (rejection,) = decision.attempts[0].steps[0].rejections
            rejection.reason = f'requested_host is {word}'
            rejection.details = dict.fromkeys(rejection.hosts, 'since 9')
            read = through(decision)
            (short,) = read.attempts[0].steps[0].rejections
            self.assertEqual(
                (rejection.hosts, rejection.details),
                (short.hosts, short.details),
            )
            self.assertTrue(
                short.reason.startswith(f'requested_host is {word[0]}')
            )
            self.assertEqual(['b'], read.request['hints']['a'])
            self.assertLess(len(json.dumps(read.request)), 6000)
            self.assertEqual({'name': 'm1.tiny'}, read.request['flavor'])
            self.assertEqual('a', read.unread_hints[1])

    def test_words_of_a_program(self):
        """Cut a request to another topic's driver as a whole."""
        decision = samples.failure(hosts=500, topic='backup')
        decision.request = {'size_gb': 5, 'notes': ['x' * 70000]}
        read = through(decision)
        (short,) = read.attempts[0].steps[0].rejections
        self.assertEqual(500, len(short.hosts))
        self.assertEqual(5, read.request['size_gb'])
        self.assertEqual(257, len(read.request['notes'][0]))

    def test_unbounded_parts(self):
        """Bound long hints, messages, queries and many servers."""
        servers = [samples.new_id() for _ in range(500)]
        decision = samples.failure(
            servers=servers,
            message='m' * 100000,
            placement=d.Placement('q' * 100000, 1),
            request={'hints': {'h': 'x' * 100000}},
            attempts=[
                d.Attempt(s, n, 500, [d.Step('F', 'filter', 500, 499)])
                for n, s in enumerate(servers)
            ],
        )
        read = through(decision, 4096)
        self.assertEqual(decision.request_id, read.request_id)
        self.assertEqual(decision.outcome, read.outcome)
        self.assertEqual(servers[:10], read.servers)
        self.assertEqual('all but the outcome', read.left_out[-1])

    def test_long_query(self):
        """Keep a query of many aggregates, which is asked again."""
        for length, kept in (3000, True), (20000, False):
            decision = samples.failure(placement=d.Placement(
                'q' * length, 1, offered='abc',
            ), message='m' * 100000)
            placement = through(decision).placement
            self.assertEqual(kept, placement.query == 'q' * length)
            self.assertEqual('abc' if kept else '', placement.offered)

    def test_no_number(self):
        """Leave out a weight that JSON has no number for."""
        for make in (samples.success, samples.failure):
            decision = make()
            decision.attempts[0].weighers = [
                d.Weighing('W', {'a': 1.0, 'b': float('nan')},
                           {'a': float('inf'), 'b': 1.0}),
            ]
            (weighing,) = through(decision).attempts[0].weighers
            self.assertNotIn('b', weighing.weights)
            self.assertNotIn('a', weighing.multipliers)
