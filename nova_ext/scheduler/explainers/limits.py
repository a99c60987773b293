"""How many servers and I/O operations a host may have."""

from typing import Any

from nova_ext.scheduler.explainers.reason import Explain, Reason


def _io_ops(filter_: Any, spec: Any) -> Explain:
    def why(host: Any) -> Reason:
        most = filter_._get_max_io_ops_per_host(host, spec)
        return Reason(
            f'may have less than {most} I/O operations',
            f'and has {host.num_io_ops}',
        )

    return why


def _servers(filter_: Any, spec: Any) -> Explain:
    def why(host: Any) -> Reason:
        most = filter_._get_max_instances_per_host(host, spec)
        return Reason(
            f'may have {most} servers', f'and has {host.num_instances}'
        )

    return why


EXPLAINERS = {
    'IoOpsFilter': _io_ops,
    'AggregateIoOpsFilter': _io_ops,
    'NumInstancesFilter': _servers,
    'AggregateNumInstancesFilter': _servers,
}
