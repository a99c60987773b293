"""Have a cloud of five hosts, and explanations that a scheduler gives."""

from types import SimpleNamespace

import testtools

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.doctor.model import Aggregate

HOSTS = [f'cmp-{number}' for number in range(1, 6)]


def row(verdict, count, *hosts, stage='', reason='', reasons=None):
    """Return a row of an explanation."""
    return {'verdict': verdict, 'count': count, 'hosts': list(hosts),
            'stage': stage, 'reason': reason, 'reasons': reasons or {}}


def explain(*rows, outcome='placed', **decision):
    """Return an explanation."""
    return {'sentence': 'so it is', 'outcome': outcome, 'rows': rows,
            'decision': decision}


class CloudTestCase(testtools.TestCase):
    """Check rules against five hosts, one of them in an aggregate."""

    def setUp(self):
        """Take a rule's fields as its request."""
        super().setUp()
        self.scheduler = SimpleNamespace(
            list_filters=lambda: ['ComputeFilter'],
        )
        self.facts = SimpleNamespace(
            hypervisors=[SimpleNamespace(host=host) for host in HOSTS],
            aggregates=[Aggregate('u', 'gpu', frozenset(['cmp-5']), {
                'gpu': 'yes',
            })],
            flavors={},
        )
        self.cloud = JudgedCloud(None, self.facts, self.scheduler)
        self.cloud.build_request = dict
