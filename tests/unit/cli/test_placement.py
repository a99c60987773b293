"""Ask placement and Nova's API what hosts lack."""

import fixtures
import testtools

from nova_ext.cli import cloud, placement
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import LeftOut, Placement
from nova_ext.core.decision.placement_answer import digest_roots
from tests.unit.cmd import fake_cloud

PLACEMENT = 'http://placement.example'
QUERY = 'limit=9&resources=VCPU%3A2&member_of=agg-1'


def provider(uuid):
    """Return a provider that is a root."""
    return {'uuid': uuid, 'root_provider_uuid': uuid, 'generation': 1}


class DiagnoseTest(testtools.TestCase):
    """Use a cloud of four hosts, of which one has a candidate."""

    def setUp(self):
        """Set up answers."""
        super().setUp()
        self.cloud = self.useFixture(
            fake_cloud.CloudFixture(placement=PLACEMENT)
        )
        self.cloud.get(PLACEMENT, json={'versions': [{
            'id': 'v1.0', 'status': 'CURRENT', 'min_version': '1.0',
            'max_version': '1.39', 'links': [{'rel': 'self', 'href': ''}],
        }]})
        compute = fake_cloud.COMPUTE
        self.cloud.get(f'{compute}/os-services', json={'services': [
            {'host': f'cmp-{n}'} for n in range(1, 5)
        ]})
        self.cloud.get(f'{compute}/os-hypervisors/detail', json={
            'hypervisors': [
                {'id': f'n{n}', 'service': {'host': f'cmp-{n}'}}
                for n in (1, 2)
            ],
            'hypervisors_links': [{
                'rel': 'next', 'href': f'{compute}/os-hypervisors/more',
            }],
        })
        self.cloud.get(f'{compute}/os-hypervisors/more', json={
            'hypervisors': [{'id': 'n3', 'service': {'host': 'cmp-3'}}],
        })
        self.cloud.get(f'{compute}/os-aggregates', json={'aggregates': [{
            'uuid': 'agg-1', 'name': 'rack-7', 'availability_zone': 'west',
        }]})
        self.refused = 200
        self.cloud.get(
            f'{PLACEMENT}/allocation_candidates',
            json=lambda request, context: self.candidates(context),
        )
        self.cloud.get(
            f'{PLACEMENT}/resource_providers', json=self.providers
        )
        self.cloud.get(
            f'{PLACEMENT}/resource_providers/n3/inventories',
            status_code=404,
        )

    def candidates(self, context):
        """Offer the first host."""
        context.status_code = self.refused
        return {
            'allocation_requests': [{}],
            'provider_summaries': {'n1': {'root_provider_uuid': 'n1'}},
        }

    def providers(self, request, context):
        """List all; of the aggregate, the third; with room, the second."""
        names = {
            'member_of': ['n1', 'n3'], 'resources': ['n1', 'n2'],
        }.get(request.query.split('=')[0], ['n1', 'n2', 'n3'])
        return {'resource_providers': [provider(name) for name in names]}

    def diagnose(self, offered='n1'):
        """Ask what the hosts lack that were not offered."""
        return placement.diagnose(
            Placement(QUERY, 1, 1, offered=digest_roots([offered]))
        )

    def test_lacks(self):
        """Tell each host with what it lacks, by Nova's names."""
        self.assertEqual([
            LeftOut(
                ['is not in aggregate rack-7 (availability zone west)'], 1,
                ['cmp-2'], [1],
            ),
            LeftOut(['lacks VCPU'], 1, ['cmp-3'], [1]),
            LeftOut(['has no resource provider'], 1, ['cmp-4'], [0]),
        ], self.diagnose().left_out)

    def test_changed(self):
        """Ask nothing more where placement offers others."""
        self.assertEqual([], self.diagnose('n2').left_out)
        self.assertFalse(
            [sent.url for sent in self.cloud.request_history
             if 'resource_prov' in sent.url]
        )

    def test_refused(self):
        """Say that the user may not, and that no cloud is named."""
        self.refused = 403
        error = self.assertRaises(NovaExtError, self.diagnose)
        self.assertEqual('placement refuses it to this user', str(error))
        for name in cloud.VARIABLES:
            self.useFixture(fixtures.EnvironmentVariable(name))
        error = self.assertRaises(NovaExtError, self.diagnose)
        self.assertEqual(
            'none of OS_CLOUD, OS_AUTH_URL is set', str(error)
        )
