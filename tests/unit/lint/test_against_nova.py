"""Compare lint's verdict with the Nova that would load the names and lines."""

import testtools
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.config_files import sources
from nova_ext.nova_releases import plugins_and_options
from tests.unit.lint import test_corpus

#: Findings that keep Nova from loading its filters and weighers.
STOPS = {
    'NX004', 'NX007', 'NX101', 'NX102', 'NX201', 'NX203', 'NX206', 'NX301',
    'NX502',
}
GROUP = 'filter_scheduler'


def texts(values, default):
    """Return the texts of values, or a default for none."""
    return [value.text for value in values] or list(default)


def loads(configuration):
    """Say whether Nova finds what the configuration names."""
    available = texts(
        configuration.values(GROUP, 'available_filters'),
        [plugins_and_options.ALL_FILTERS],
    )
    enabled = texts(
        configuration.items(GROUP, 'enabled_filters'),
        plugins_and_options.DEFAULT_FILTERS,
    )
    weighers = texts(
        configuration.items(GROUP, 'weight_classes'),
        [plugins_and_options.ALL_WEIGHERS],
    )
    try:
        classes = nova_filters.HostFilterHandler().get_matching_classes(
            available
        )
        nova_weights.HostWeightHandler().get_matching_classes(weighers)
    except Exception:
        return False
    return set(enabled) <= {cls.__name__ for cls in classes}


class TestAgainstNova(testtools.TestCase):
    """Test the cases of the corpus whose plugins are all Nova's."""

    def test_same_verdict(self):
        """Find what stops Nova exactly where Nova does not load it."""
        compared = {True: 0, False: 0}
        for case in test_corpus.CASES:
            about = test_corpus.describe(case)
            paths = [case / name for name in about.get('read', ['nova.conf'])]
            if any(path.is_dir() for path in paths):
                continue
            read = sources.read(
                [(sources.FILE, str(path)) for path in paths],
                about.get('layout', 'packages'),
            )
            lines = texts(
                [*read.configuration.values(GROUP, 'available_filters'),
                 *read.configuration.items(GROUP, 'weight_classes')], [],
            )
            templated = any(
                layer.conditional for layer in read.configuration.layers
            )
            if templated or read.unreadable or not all(
                line.startswith('nova.scheduler') or '.' not in line
                for line in lines
            ):
                continue
            if case.name.startswith('in-nova-'):  # lint reads no Nova here
                continue
            stops = STOPS & {
                line.split()[0] for line in about['expect']
                if '.py:' not in line  # Nova does not load it
            }
            verdict = loads(read.configuration)
            self.assertEqual(not stops, verdict, case.name)
            compared[verdict] += 1
        self.assertGreater(min(compared.values()), 8, compared)
