"""What services of topics other than Nova's own report."""

from collections.abc import Mapping

from nova_ext.core.stats.capabilities import Capabilities
from nova_ext.core.stats.timed_reports import Reports
from nova_ext.scheduler.base import options


class Services:
    """The services that report, each with its capabilities.

    Each worker of each scheduler hears them all, and keeps them itself.
    """

    def __init__(self) -> None:
        group = options.CONF.nova_ext_services
        self._reports: Reports[tuple[str, str], Capabilities] = Reports(
            group.down_after_s, group.max_services, 'services'
        )

    def report(
        self, topic: str, host: str, capabilities: Capabilities, serial: int
    ) -> None:
        """Take what a service reports.

        :param topic: the topic that the service serves.
        :param serial: greater in each report of the service.
        :raises WrongArgumentsError: when there is no room for the service.
        """
        self._reports.take({(topic, host): capabilities}, serial)

    def capabilities(self, topic: str) -> Mapping[str, Capabilities]:
        """What services of a topic report, by host, while they are up."""
        return {
            host: capabilities
            for (its_topic, host), capabilities in self._reports.all().items()
            if its_topic == topic
        }
