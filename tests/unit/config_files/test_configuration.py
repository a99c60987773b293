"""Compare merging with oslo.config itself where it merges."""

import testtools
from oslo_config import cfg

from nova_ext.config_files import sources
from nova_ext.config_files.configuration import Value
from nova_ext.core.base.finding import Location
from tests.unit.lint import base

GROUP = 'filter_scheduler'

FILES = {
    'nova.conf': """
[DEFAULT]
debug: true
[filter_scheduler]
available_filters = a.all_filters
enabled_filters = A, B,
    C
[Filter_Scheduler]
available_filters = "quoted.Filter"
""",
    'nova.conf.d/10-first.conf': """
[filter_scheduler]
available_filters = b.B
available_filters = c.C
""",
    'nova.conf.d/20-second.conf': """
# A comment.
[filter_scheduler]
enabled_filters = D,
    E,
    F
enabled_filters = G,H
""",
}


class TestMerge(base.LintTestCase):
    """Test files of oslo.config."""

    def setUp(self):
        """Write the files."""
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        self.sources = [
            (sources.FILE, str(self.folder / 'nova.conf')),
            (sources.FOLDER, str(self.folder / 'nova.conf.d')),
        ]

    def test_as_oslo_config(self):
        """Read the values that oslo.config reads."""
        conf = cfg.ConfigOpts()
        conf.register_opts([
            cfg.MultiStrOpt('available_filters'),
            cfg.ListOpt('enabled_filters'),
        ], group=GROUP)
        conf(
            ['--config-file', self.sources[0][1], '--config-dir',
             self.sources[1][1]], project='nova',
        )
        ours = sources.read(self.sources).configuration
        self.assertEqual(
            conf[GROUP].available_filters,
            [value.text for value in ours.values(GROUP, 'available_filters')],
        )
        self.assertEqual(
            conf[GROUP].enabled_filters,
            [value.text for value in ours.items(GROUP, 'enabled_filters')],
        )

    def test_kolla_replaces(self):
        """Replace all values of an option by a later file of kolla's."""
        paths = [(sources.FILE, str(self.folder / name)) for name in FILES]
        ours = sources.read(paths, 'kolla').configuration
        self.assertEqual(
            ['b.B', 'c.C'],
            [value.text for value in ours.values(GROUP, 'available_filters')],
        )
        self.assertEqual(
            ['a.all_filters', 'quoted.Filter'],
            [value.text for value, _ in
             ours.replaced(GROUP, 'available_filters')],
        )


class TestItems(testtools.TestCase):
    """Test items of a list."""

    def test_lines(self):
        """Know the lines of items, also behind empty ones and breaks."""
        value = Value('\nA, B,\n\n , C', Location('f', 7))
        self.assertEqual(
            [('A', 8), ('B', 8), ('C', 10)],
            [(item.text, item.location.line) for item in value.items()],
        )
