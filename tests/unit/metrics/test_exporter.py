"""Test decisions as metrics."""

import testtools
from prometheus_client import CollectorRegistry, generate_latest

from nova_ext.core.decision import decision as d
from nova_ext.metrics.exporter import DecisionMetrics
from nova_ext.record import diagnoses, drops, shortening
from tests.unit.record import samples


class DecisionMetricsTest(testtools.TestCase):
    """Count each line once."""

    def setUp(self):
        """Begin with nothing counted."""
        super().setUp()
        self.registry = CollectorRegistry()
        self.metrics = DecisionMetrics(self.registry)

    def add(self, *decisions):
        """Count decisions as a record has them."""
        for decision in decisions:
            self.metrics.add(shortening.to_line(decision, 65536))

    def value(self, metric, **labels):
        """Return a metric's value."""
        return self.registry.get_sample_value(f'nova_ext_{metric}', labels)

    def test_decisions(self):
        """Count decisions by outcome and driver."""
        self.add(
            samples.failure(by={'driver': 'A'}), samples.failure(
                by={'driver': 'B'}, seconds=0.3, stages={'filters': 0.2},
            ), samples.failure(by={'driver': 'B'}),
        )
        for driver, count in (('A', 1), ('B', 2)):
            self.assertEqual(count, self.value(
                'decisions_total', outcome='no valid host', driver=driver
            ))
        self.assertEqual(
            .3, self.value('decision_seconds_sum', driver='B')
        )
        self.assertEqual(1, self.value(
            'stage_seconds_bucket', stage='filters', le='0.25'
        ))
        self.assertEqual(1795262400, self.value(
            'last_decision_timestamp_seconds'
        ))

    def test_surrogates(self):
        """Answer Prometheus, whatever a decision's texts are."""
        self.add(samples.failure(
            by={'driver': 'A\ud800'}, stages={'\udfff': 1.0}
        ))
        answer = generate_latest(self.registry).decode()
        self.assertIn('driver="A\ufffd"', answer)

    def test_hosts(self):
        """Count rejected hosts, and decisions without candidates."""
        self.add(
            samples.success(rejected=20), samples.failure(hosts=3),
            samples.failure(attempts=[], placement=d.Placement('q', 0)),
            samples.failure(
                attempts=[], placement=d.Placement('q', 0, answered=False)
            ),
        )
        self.assertEqual(23, self.value(
            'hosts_rejected_total', kind='filter', name='ComputeFilter'
        ))
        self.assertEqual(1, self.value('no_candidate_total'))

    def test_mirror(self):
        """Count rankings that were compared, differences and fallbacks."""
        self.add(
            samples.success(), *(samples.failure(mirror=check) for check in (
                d.MirrorCheck(compared=3, differences=['x', 'y']),
                d.MirrorCheck(compared=1),
                d.MirrorCheck(
                    fallback='query', detail='resources7', decides=True,
                ),
                d.MirrorCheck(fallback='of another version'),
                d.MirrorCheck(decides=True),
            ))
        )
        self.assertEqual(4, self.value('mirror_compared_total'))
        self.assertEqual(2, self.value('mirror_differences_total'))
        self.assertEqual(1, self.value('mirror_decided_total'))
        for reason in ('query', 'unknown'):  # no label has anything else
            self.assertEqual(
                1, self.value('mirror_fallbacks_total', reason=reason)
            )

    def test_claims(self):
        """Count refused claims, but none without an answer."""
        decision = samples.success()
        decision.claims = [
            d.ClaimResult('', host, host == 'c') for host in ('a', 'b', 'c')
        ]
        decision.claims.append(d.ClaimResult('', 'd', False, answered=False))
        self.add(decision)
        self.assertEqual(2, self.value('claims_refused_total'))

    def test_other_lines(self):
        """Count dropped decisions and garbage, and no diagnosis."""
        for line in (
            drops.encode_drops(7), b'{"version":1}\n', b'nonsense\n', None,
            diagnoses.to_line(
                d.PlacementDiagnosis('2026-11-21T12:00:00Z', 'q')
            ),
        ):
            self.metrics.add(line)
        self.assertEqual(7, self.value('decisions_dropped_total'))
        self.assertEqual(3, self.value('record_unreadable_lines_total'))
        self.add(samples.failure(at='yesterday'))
        self.assertEqual(1, self.value(
            'decisions_total', outcome='no valid host', driver=''
        ))
