"""Roll up capabilities of services and zones."""

import testtools

from nova_ext.core.stats import zone_capabilities as caps


class ZoneCapabilitiesTest(testtools.TestCase):
    """Keep numbers and words apart."""

    def test_services(self):
        """Give the range of numbers, and all words, by service."""
        services = caps.summarize_services([
            ('compute', {'cpu': ('10',), 'os': ('linux',)}),
            ('compute', {'cpu': ('9.5', '9'), 'os': ('bsd',), 'g': ()}),
            ('volume', {'cpu': ('3', 'auto')}),
        ])
        self.assertEqual({
            'compute': {
                'cpu': {'min': 9, 'max': 10},
                'os': {'values': ['bsd', 'linux']},
            },
            'volume': {'cpu': {'min': 3, 'max': 3, 'values': ['auto']}},
        }, services)
        self.assertEqual({
            'compute_cpu': '9,10', 'compute_os': 'bsd;linux',
            'volume_cpu': '3,3;auto',
        }, caps.list_rows(services))

    def test_numbers(self):
        """Take for a word what is no finite number."""
        self.assertEqual(
            {'min': -0.5, 'max': 123000, 'values': ['1e999', 'nan', 'x']},
            caps.summarize(['nan', '123000', 'x', '-0.5', '1e999']),
        )

    def test_zones(self):
        """Join what two zones have; a general number is a word."""
        first, second = (
            {
                'general': caps.summarize_general({'tier': tiers, 'gpu': ()}),
                'services': {service: {'cpu': caps.summarize(cpu)}},
            } for tiers, service, cpu in (
                (('1', '2'), 'compute', '4'), (('2', 'gold'), 'compute', '7'),
            )
        )
        self.assertEqual({
            'general': {'tier': {'values': ['1', '2', 'gold']}},
            'services': {'compute': {'cpu': {'min': 4, 'max': 7}}},
        }, caps.join_zones([first, second]))
        self.assertEqual(
            {'general': {}, 'services': {}}, caps.join_zones([])
        )
