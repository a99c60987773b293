"""Test the base classes of plugins."""

import testtools

from nova_ext import plugin, testing
from nova_ext.plugin import ComputeDriver


class PluginTest(testtools.TestCase):
    """Options and facts."""

    def test_options(self):
        """Empty where none are given."""
        self.assertEqual({}, plugin.Filter().options)
        self.assertEqual({'a': 1}, plugin.Filter({'a': 1}).options)

    def test_public_names(self):
        """Each that is promised is there."""
        for name in plugin.__all__:
            self.assertTrue(hasattr(plugin, name), name)


class ComputeDriverTest(testtools.TestCase):
    """Test what the base class does for drivers."""

    def setUp(self):
        """One driver without facts."""
        super().setUp()
        self.driver = ComputeDriver(None)

    def test_select_destinations_is_the_schedulers(self):
        """Unless a driver overrides it."""
        self.assertEqual(
            'answer',
            self.driver.select_destinations(
                testing.make_context(), testing.make_request(), {},
                lambda: 'answer',
            ),
        )

    def test_run_instance(self):
        """The launcher gets all arguments."""
        class Launcher:
            def launch(self, *arguments):
                return arguments[1:]

        self.driver.launcher = Launcher()
        for hints, expected in ((None, {}), ({'a': 'b'}, {'a': 'b'})):
            self.assertEqual(
                ({'name': 'a'}, 2, expected, '2.37'),
                self.driver.schedule_run_instance(
                    testing.make_context(), server={'name': 'a'}, count=2,
                    hints=hints, microversion='2.37',
                ),
            )

    def test_hosts_by_what_they_report(self):
        """Those that are up; one of two values is in two groups."""
        driver = ComputeDriver(testing.FakeFacts(
            up=['a', 'b', 'c'], reported={
                'a': {'disk': ('ssd', 'hdd')}, 'b': {'disk': ('hdd',)},
                'down': {'disk': ('ssd',)},
            },
        ))
        context = testing.make_context()
        self.assertEqual(
            {'ssd': ['a'], 'hdd': ['a', 'b'], '': ['c']},
            driver.group_hosts(context, 'compute', 'disk'),
        )
        self.assertEqual(
            {'': ['a', 'b', 'c']}, driver.group_hosts(context, 'compute')
        )
