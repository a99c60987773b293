"""Labs on disk, without a process."""

from pathlib import Path

import fixtures
import testtools

from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.hosts import Host

ENDPOINTS = ('keystone', 'placement', 'glance', 'network', 'nova')
#: Ports that no lab takes, while others run on this machine.
PORTS = dict(zip(ENDPOINTS, range(1, 6), strict=True))


class LabTestCase(testtools.TestCase):
    """A home for labs and a cache, gone after the test."""

    def setUp(self):
        """Point the lab's two folders into a temporary one."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        for variable, name in (
            ('NOVA_EXT_LAB_HOME', 'home'), ('XDG_CACHE_HOME', 'cache')
        ):
            self.useFixture(fixtures.EnvironmentVariable(
                variable, str(self.folder / name)
            ))

    def new_lab(self, name='one', **changes):
        """A lab that has been up, as files; its place and state."""
        there = paths.named(name)
        there.make()
        state = lab_state.new([Host('cmp-1'), Host('cmp-2', vcpus=2)])
        state.ports = dict(PORTS)
        state.ready = True
        for field, value in changes.items():
            setattr(state, field, value)
        lab_state.save(there, state)
        return there, state
