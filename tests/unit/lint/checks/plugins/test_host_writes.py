"""Test plugins that write to host states."""

from tests.unit.lint.checks.plugins import base


class TestWrites(base.PluginTestCase):
    """Test statements and calls that change a host state."""

    def test_writes(self):
        """Report each way to change one."""
        for line in (
            'host_state.free_ram_mb -= 1', 'host_state.mine = 1',
            'host_state.stats["x"] = 1', 'del host_state.stats["x"]',
            'host_state.aggregates.append(1)', 'host_state.update(None)',
            'setattr(host_state, "free_ram_mb", 1)',
            'host_state.a, other = 1, 2',
            'host_state.stats.setdefault("x", {}).update(x=1)',
        ):
            self.assertIn(
                'NX520 6', self.lint_filter(line, 'return True'), line
            )

    def test_reads(self):
        """Accept what Nova's own filters write, and what is the plugin's."""
        for line in (
            'host_state.limits["vcpu"] = 1', 'host_state.limits = {}',
            'host_state.allocation_candidates = []', 'self.seen = host_state',
            'stats = dict(host_state.stats); stats["x"] = 1',
            'self.cache[host_state.host] = host_state.free_ram_mb',
        ):
            self.assertEqual({}, self.lint_filter(line, 'return True'), line)
