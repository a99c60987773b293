"""Ask filters and weighers of nova-ext's contract about many hosts at once."""

from dataclasses import dataclass

import numpy as np

from nova_ext.engine.filtering import Mask, Rows, ask_classes
from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.rank import Weighing
from nova_ext.scheduler.mirror.plugins import filter_reads
from nova_ext.scheduler.mirror.plugins.host_views import HostViews
from nova_ext.scheduler.mirror.plugins.isolation import Isolation
from nova_ext.scheduler.plugins.adapters import FilterAdapter, WeigherAdapter


@dataclass(frozen=True)
class ContractFilter:
    """Judge hosts for one request; a filter of the engine."""

    adapter: FilterAdapter
    isolation: Isolation

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Say of each row whether it passes."""
        views = HostViews(hosts, rows)
        spec = self.isolation.get_spec(self.adapter)
        verdicts = self.adapter.check_all(views, spec)
        self.isolation.check(self.adapter, views.shown)
        return np.fromiter(
            (verdict.passed for verdict in verdicts), np.bool_, rows.size
        )


@dataclass(frozen=True)
class ContractWeigher:
    """Weigh hosts for one request; a weigher of the engine."""

    adapter: WeigherAdapter
    isolation: Isolation

    def weigh(self, hosts: HostColumns, rows: Rows) -> Weighing:
        """Return the weights, as WeigherAdapter.weigh_objects does."""
        # Of a host, its aggregates alone set the multiplier.
        multipliers = ask_classes(
            self.adapter.weight_multiplier, hosts, rows,
            filter_reads.AGGREGATES,
        )
        if not multipliers.any():
            return Weighing(np.zeros(rows.size), multipliers)
        views = HostViews(hosts, rows)
        spec = self.isolation.get_spec(self.adapter)
        raw = self.adapter.weigh_all(views, spec)
        self.isolation.check(self.adapter, views.shown)
        return Weighing(np.array(raw, np.float64), multipliers)
