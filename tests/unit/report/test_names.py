"""Test which names of a decision a report replaces."""

import json

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.report import names
from nova_ext.report.scrub import Scrubber


class NamesTest(testtools.TestCase):
    """Names that stand in the clauses of a decision."""

    def test_aggregates(self):
        """Those of which the details tell, and values of their metadata."""
        def rejected(*details):
            hosts = [f'h{number}' for number in range(len(details))]
            return d.Rejection('kept for others', len(hosts), hosts, dict(
                zip(hosts, details, strict=True)
            ))

        decision = d.Decision('', '', kept_out=[rejected(
            'by aggregate gpu-acme', 'by aggregate racks of acme, acme, inc.',
            'such as r1-acme, west (acme)',
        )], attempts=[d.Attempt('', 0, 9, [
            d.Step('AggregateMultiTenancyIsolation', 'filter', 9, 4, [
                rejected(
                    'by aggregate a1-acme (filter_tenant_id=p1-acme), acme\'s '
                    'own, new (filter_tenant_id=p2-acme,p3-acme)',
                    'by aggregate old (acme) (filter_tenant_id_2=cut-ac',
                ),
            ]),
            d.Step('AggregateInstanceExtraSpecsFilter', 'filter', 4, 2, [
                rejected('and is v1-acme, acme ssd', 'and is in none'),
            ]),
            d.Step('RackFilter', 'filter', 2, 0, [
                rejected('such as this', 'and is full'),
            ]),
        ])])
        scrubber = Scrubber()
        names.learn_decision(scrubber, decision)
        for hidden in (
            'gpu-acme', 'racks of acme', 'acme', 'inc.', 'r1-acme', 'west',
            'a1-acme', 'p1-acme', 'acme\'s own', 'p2-acme', 'p3-acme',
            'cut-ac', 'v1-acme', 'acme ssd',
        ):
            self.assertNotIn(hidden, scrubber.scrub_text(f'in {hidden}: x'))
        text = json.dumps(scrubber.scrub_data(decision.to_dict()))
        self.assertNotIn('acme', text)
        self.assertNotIn('cut-ac', text)
        for kept in (
            'kept for others', '(filter_tenant_id=value-', 'and is in none',
            'such as this', 'and is full',
        ):
            self.assertIn(kept, text)

    def test_left_out(self):
        """Hosts, aggregates and zones."""
        decision = d.Decision('', '', asked_again=d.PlacementDiagnosis(
            '', '', 'ctl-acme', left_out=[
                d.LeftOut(['lacks VCPU'], 2, ['n1-acme']),
                d.LeftOut([
                    'is not in aggregate rack-acme (availability zone '
                    'west-acme) or gpu-acme',
                ], 1, ['n2-acme']),
                d.LeftOut(['is in forbidden aggregate two-acme'], 1),
            ], examples=['n1-acme: VCPU 9, at most 8 a server there'],
        ))
        scrubber = Scrubber()
        names.learn_decision(scrubber, decision)
        text = json.dumps(scrubber.scrub_data(decision.to_dict()))
        self.assertNotIn('acme', text)
        self.assertIn('lacks VCPU', text)
