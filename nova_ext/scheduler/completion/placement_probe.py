"""Ask placement in a scheduler's process, with Nova's own client."""

from collections.abc import Collection
from typing import Any

from nova.scheduler.client import report

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import left_out_probe
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.scheduler.base import options
from nova_ext.scheduler.facts import cells, compute_nodes, nova_facts


def diagnose(query: str, offered: Collection[str]) -> PlacementDiagnosis:
    """Find what hosts lack that a query leaves out.

    :param offered: see :func:`nova_ext.core.decision.left_out_probe.diagnose`.
    :raises NovaExtError: placement, or the database of a cell, did not answer.
    """
    return left_out_probe.diagnose(
        NovaCloud(), query, offered, options.CONF.host
    )


class NovaCloud:
    """Read placement and Nova's databases."""

    def get(self, path: str) -> Any:
        """Return the body of placement's answer; None without one."""
        client: Any = report.report_client_singleton()
        answer = client.get(path, version=left_out_probe.MICROVERSION)
        return answer.json() if answer.status_code == 200 else None

    def list_hosts(self) -> dict[str, set[str]]:
        """Return the UUIDs of each host's nodes.

        :raises NovaExtError: the database of a cell did not answer.
        """
        nodes, is_complete = compute_nodes.list_nodes()
        if not is_complete:
            raise NovaExtError('the hosts of a cell are not known')
        return {
            host: set(nodes.get(host, {}).values())
            for host in cells.list_mapped_hosts()
        }

    def list_aggregate_names(self) -> dict[str, str]:
        """Return the names of aggregates, with their zones, by UUID."""
        return {
            aggregate.uuid: left_out_probe.format_aggregate(
                aggregate.name, aggregate.availability_zone
            ) for aggregate in nova_facts.get().list_aggregates()
        }
