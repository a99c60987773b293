"""Note which facts a decision asks for that the journal does not have."""

from collections.abc import Sequence
from typing import Any, NoReturn

from nova.objects import base

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.stats.stats import Stat


class UnknownFactError(NovaExtError):
    """Report a fact that the journal does not have."""


class Gaps:
    """Note the facts that were asked for and are unknown.

    :ivar facts: what was asked for, each once.
    """

    def __init__(self) -> None:
        self.facts: dict[str, None] = {}

    def note(self, fact: str) -> None:
        """Note a fact; who asked goes on without it."""
        self.facts[fact] = None

    def refuse(self, fact: str) -> NoReturn:
        """Note a fact, and end what asks for it.

        :raises UnknownFactError: always.
        """
        self.note(fact)
        raise UnknownFactError(f'{fact} is not in the journal')


class RefusedQueries:
    """Refuse what Nova's objects would ask of a database.

    It stands where a service without a database has nova-conductor
    (nova.objects.base.NovaObject.indirection_api).
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps

    def install(self) -> None:
        """Refuse queries in this process from now on."""
        base.NovaObject.indirection_api = self

    def object_class_action_versions(
        self, context: Any, name: str, method: str, versions: Any,
        args: Sequence[Any], kwargs: Any,
    ) -> NoReturn:
        """Refuse a query that makes an object."""
        wanted = kwargs.get('expected_attrs') or ()
        self._gaps.refuse('.'.join([name, *map(str, wanted)][:2]) if wanted
                          else f'{name}.{method}()')

    def object_action(
        self, context: Any, instance: Any, method: str, args: Sequence[Any],
        kwargs: Any,
    ) -> NoReturn:
        """Refuse a query of an object."""
        self._gaps.refuse(f'{instance.obj_name()}.{method}()')

    def object_backport_versions(self, *args: Any) -> NoReturn:
        """Refuse to read an object of a newer Nova."""
        self._gaps.refuse('an object of a newer Nova')


class RecordedFacts:
    """Answer plugins of nova-ext's contract: no such fact is in a journal.

    See :class:`nova_ext.core.plugin.facts.Facts`.
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps

    def hosts_up(self, context: Any, topic: str) -> NoReturn:
        """Refuse."""
        self._gaps.refuse(f'which hosts of topic {topic} are up')

    def get_capabilities(self, topic: str) -> NoReturn:
        """Refuse."""
        self._gaps.refuse(f'capabilities of topic {topic}')

    def get_stat(self, host: Any, name: str) -> Stat:
        """Refuse."""
        self._gaps.refuse(f'stat {name} of hosts')

    def get_server_host(self, context: Any, server_uuid: str) -> NoReturn:
        """Refuse."""
        self._gaps.refuse('the host of another server')

    def get_global_request_id(self, request: Any) -> None:
        """Return None: it chooses no host."""

    def count_servers_of_owner(
        self, host: Any, request: Any, owner_id: str = ''
    ) -> NoReturn:
        """Refuse."""
        self._gaps.refuse('owners of the servers on hosts')
