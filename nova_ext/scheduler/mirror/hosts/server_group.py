"""Note on which hosts the servers of a request's group are."""

from collections.abc import Collection, Iterable
from typing import Any

from nova_ext.scheduler.mirror.hosts import servers


class ServerGroup:
    """Note it as Nova does, and undo what Nova noted.

    :param spec: Nova's request spec, which may have no group.
    """

    def __init__(self, spec: Any) -> None:
        self._group = spec.instance_group
        self._hosts = (
            list(self._group.hosts)
            if self._group and 'hosts' in self._group else []
        )

    def restore(self) -> None:
        """Undo what Nova noted of servers whose claims are released."""
        if self._group:
            self._group.hosts = list(self._hosts)
            self._group.obj_reset_changes(['hosts'])

    def add(
        self, host_manager: Any, hosts: Iterable[Any], uuids: Collection[str]
    ) -> None:
        """Note that servers were placed: the next request sees them.

        :param host_manager: Nova's.
        :param hosts: the states from which Nova took them.
        :param uuids: theirs.
        """
        if self._group:
            for state in hosts:
                servers.add(host_manager, state.host, {
                    uuid: state.instances[uuid] for uuid in uuids
                    if uuid in state.instances
                })
