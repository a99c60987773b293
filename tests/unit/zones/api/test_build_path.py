"""The modules that a request for a build goes through, until its 202."""

import sys
import threading

from tests.unit.zones.builds import test_planning

_ZONES = 'nova_ext.zones.'


class BuildPathTest(test_planning.BuildsTestCase):
    """A build over this zone and one child zone."""

    def trace(self, count):
        """Return the modules of zones that a build enters, and the calls.

        The child zone's own are left out.
        """
        modules, calls = set(), set()

        def note(frame, event, _):
            code = frame.f_code
            if event != 'call' or not code.co_filename.endswith('.py') or (
                'process_request' in threading.current_thread().name
            ) or code.co_name == '<module>':
                return
            name = frame.f_globals['__name__']
            if name.startswith(_ZONES):
                modules.add(name.removeprefix(_ZONES))
                caller = frame.f_back and frame.f_back.f_globals['__name__']
                if caller != name and str(caller).startswith(_ZONES):
                    calls.add((caller, name))

        threading.setprofile(note)
        sys.setprofile(note)
        try:
            self.build(count)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        return modules, calls

    def test_own_hosts(self):
        """A build of this zone's own hosts passes few modules."""
        self.build(1)
        modules, calls = self.trace(1)
        self.assertLessEqual(len(modules), 13, sorted(modules))
        self.assertLessEqual(len(calls), 22, sorted(calls))

    def test_child_zone(self):
        """One that asks a child zone passes few more."""
        self.add_child('one', 5, 25)
        self.build(1)
        modules, calls = self.trace(1)
        self.assertLessEqual(len(modules), 17, sorted(modules))
        self.assertLessEqual(len(calls), 31, sorted(calls))
