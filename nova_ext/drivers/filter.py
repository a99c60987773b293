"""Schedule exactly as nova-scheduler does."""

from nova_ext.plugin import ComputeDriver


class FilterScheduler(ComputeDriver):
    """Keep the hosts as Nova filtered and weighed them."""

    hints = ()
