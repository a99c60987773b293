"""Say which hosts the demonstration needs."""

import shlex

from nova_ext.lab.demo import demo
from nova_ext.lab.state import hosts
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import Host
from tests.unit.lab import base


class RequireHostsTest(base.LabTestCase):
    """Labs with some of the hosts."""

    def test_all(self):
        """Return one of the last client's."""
        names = ('doc-1', 'ops-a', 'dev-7')
        self.assertEqual('dev-7', demo.require_hosts(*self.new_lab(
            hosts=[Host(name) for name in names]
        )))

    def test_advice(self):
        """Name every host as it is, and those that are missing."""
        own = [
            Host('cmp-1', vcpus=2, az='east side'), Host('doc-1'),
            Host('big', ram_mb=1, disk_gb=2),
        ]
        error = self.assertRaises(
            LabError, demo.require_hosts, *self.new_lab('a', hosts=own)
        )
        self.assertIn('nova-ext lab up --name a --computes ', str(error))
        words = shlex.split(str(error).partition('--computes ')[2])
        self.assertEqual(
            [*own, Host('ops-1'), Host('dev-1')], hosts.parse(words)
        )
        self.assertIn('doc-1', words)
