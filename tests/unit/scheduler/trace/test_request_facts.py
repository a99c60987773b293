"""What a record keeps of a request, and of the configuration."""

from nova_ext import testing
from nova_ext.scheduler.trace import request_facts
from tests.unit.scheduler import configured


class AskedTest(configured.ConfiguredTestCase):
    """What the request asks for."""

    def test_hints(self):
        """Passwords in their values are masked, whatever their names."""
        facts = request_facts.describe_request(testing.make_request({
            'query': ['admin_password="s3cret"', 'cmp-1'],
            'my_password': 's3cret',
        }))
        self.assertEqual({
            'query': ['admin_password="***"', 'cmp-1'],
            'my_password': '***',
        }, facts['hints'])


class ConfigurationTest(configured.ConfiguredTestCase):
    """It differs where what decides does."""

    def test_options(self):
        """Of several groups, and those of [DEFAULT] that decide."""
        digests = {request_facts.configuration()}
        for group, values in (
            ('filter_scheduler', {'ram_weight_multiplier': 7.0}),
            (None, {'service_down_time': 181}),
            (None, {'default_availability_zone': 'elsewhere'}),
            (None, {'default_schedule_zone': 'elsewhere'}),
        ):
            self.flags(group, **values)
            digest = request_facts.configuration()
            self.assertNotIn(digest, digests, values)
            digests.add(digest)

    def test_others(self):
        """What decides nothing, and where the record is."""
        before = request_facts.configuration()
        self.flags(None, report_interval=11)
        self.flags('nova_ext_record', ask_again_every_s=7)
        self.assertEqual(before, request_facts.configuration())
