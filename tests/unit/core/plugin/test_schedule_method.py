"""Test the methods that a driver offers."""

import testtools

from nova_ext import plugin, testing
from nova_ext.core.base import scheduling_errors
from nova_ext.core.plugin.schedule_method import bind_method, list_methods

CONTEXT = testing.make_context()


class Backup(plugin.Driver):
    """Marks one method of two."""

    topic = 'backup'

    @plugin.schedule_method
    def choose(self, context, size_gb, kind='full'):
        """Return the arguments."""
        return context, size_gb, kind

    def secret(self, context):
        """Not for others."""


class Nightly(Backup):
    """Overrides the marked method, without a mark."""

    def choose(self, context, size_gb, kind='diff'):
        """As above."""
        return kind


class ScheduleMethodTest(testtools.TestCase):
    """Names and arguments as somebody sent them."""

    def setUp(self):
        """Offer one method."""
        super().setUp()
        self.driver = Backup(testing.FakeFacts())

    def test_call(self):
        """Context and arguments arrive."""
        call = bind_method(self.driver, 'choose', CONTEXT, {'size_gb': 3})
        self.assertEqual((CONTEXT, 3, 'full'), call())

    def test_override_keeps_the_mark(self):
        """The subclass's own method is called."""
        driver = Nightly(testing.FakeFacts())
        self.assertEqual(
            'diff', bind_method(driver, 'choose', CONTEXT, {'size_gb': 3})()
        )

    def test_what_is_offered(self):
        """What every driver has, and what this one marked."""
        self.assertEqual(
            ['choose', 'group_hosts', 'hosts_up', 'schedule_run_instance'],
            list_methods(self.driver),
        )

    def test_unknown_and_unmarked(self):
        """Neither is found; the answer says what is."""
        for name in ('secret', 'facts', '__init__', 'no_such', ''):
            error = self.assertRaises(
                scheduling_errors.UnknownMethodError,
                bind_method, self.driver, name, CONTEXT, {},
            )
            self.assertIn(repr(name), str(error))
            self.assertIn('available: choose, group_hosts', str(error))

    def test_wrong_arguments(self):
        """Too few, too many, or one that the scheduler gives."""
        for arguments in (
            {}, {'size_gb': 1, 'other': 2}, {'size_gb': 1, 'context': 2},
            {'size_gb': 1, 'self': 2},
        ):
            error = self.assertRaises(
                scheduling_errors.WrongArgumentsError,
                bind_method, self.driver, 'choose', CONTEXT, arguments,
            )
            self.assertIn('Backup.choose():', str(error))
