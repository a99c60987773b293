"""What hosts report, or do not: MetricsFilter and JsonFilter."""

from typing import Any

from nova_ext.scheduler.explainers.reason import Explain, Reason


def _metrics(filter_: Any, spec: Any) -> Explain:
    def why(host: Any) -> Reason:
        reported = {metric.name for metric in host.metrics}
        missing = sorted(filter_.keys - reported)
        return Reason('reports no metric', ', '.join(missing))

    return why


def _query(filter_: Any, spec: Any) -> Explain:
    return lambda host: Reason('hint query does not match')


EXPLAINERS = {'MetricsFilter': _metrics, 'JsonFilter': _query}
