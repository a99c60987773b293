"""Names taken apart."""

import testtools

from nova_ext.core.base import naming


class NamingTest(testtools.TestCase):
    """Words, and what is made of them."""

    def test_words(self):
        """All spellings come to the same words."""
        for name in ('gpu_only', 'gpu-only', 'gpuOnly'):
            self.assertEqual('gpu_only', naming.to_snake_case(name))
        self.assertEqual(['GPU', 'Only'], naming.split_words('GPUOnly'))
        self.assertEqual(['Gpu2', 'IP'], naming.split_words('Gpu2IP'))

    def test_multiplier_key(self):
        """As Nova's own: cpu_weight_multiplier is CPUWeigher's."""
        self.assertEqual(
            'cpu_weight_multiplier', naming.get_multiplier_key('CPUWeigher')
        )
        self.assertEqual(
            'io_ops_weight_multiplier',
            naming.get_multiplier_key('IoOpsWeigher'),
        )
