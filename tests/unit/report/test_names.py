"""Test which names of a decision a report replaces."""

import json

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.report import names
from nova_ext.report.scrub import Scrubber


class NamesTest(testtools.TestCase):
    """Names that stand in what placement was asked later."""

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
