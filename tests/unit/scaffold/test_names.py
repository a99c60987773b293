"""Derive all names of a package from one."""

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold import names
from nova_ext.scaffold.names import KINDS


def derive(kind, name):
    """Return the three names."""
    derived = names.derive(KINDS[kind], name)
    return derived.distribution, derived.module, derived.class_name


class DeriveTest(testtools.TestCase):
    """Derive names from one that is typed."""

    def test_spellings(self):
        """Take snake, kebab and camel case, with and without the kind."""
        for name in (
            'gpu_only', 'gpu-only', 'GpuOnly', 'GpuOnlyFilter',
            'gpu_only_filter', 'gpu-only-filter', 'Gpu_Only',
        ):
            self.assertEqual(
                ('gpu-only', 'gpu_only', 'GpuOnlyFilter'),
                derive('filter', name), name,
            )

    def test_kinds(self):
        """End a class name as our own of its kind do."""
        self.assertEqual('GpuOnlyWeigher', derive('weigher', 'gpu_only')[2])
        for name in ('gpu_only', 'GpuOnlyScheduler', 'GpuOnlyDriver'):
            self.assertEqual(
                'GpuOnlyScheduler', derive('driver', name)[2]
            )

    def test_acronyms(self):
        """Keep capitals as they were typed."""
        self.assertEqual(
            ('gpu-only', 'gpu_only', 'GPUOnlyFilter'),
            derive('filter', 'GPUOnly'),
        )

    def test_no_names(self):
        """Refuse what Python, pip or a person could not use, in one line."""
        for name in (
            '', '3gpu', 'gpu only', 'gpu.only', 'gpu__only', '_gpu', 'gpu-',
            '../gpu', 'gpü', 'x' * 65, 'gpu\n', 'class', 'LambdaFilter',
            'Filter', 'filter',
        ):
            error = self.assertRaises(
                NovaExtError, names.derive, KINDS['filter'], name
            )
            self.assertNotIn('\n', str(error))
            self.assertIn('such as gpu_only' if name not in
                          ('class', 'LambdaFilter') else
                          'another name', str(error))
