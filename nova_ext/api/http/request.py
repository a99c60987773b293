"""One request, once it is known to be as it has to be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from nova_ext.api.http.errors import HttpError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.capacity import Capacity
from nova_ext.decision_database.database import Database
from nova_ext.policy import enforcer


class Scheduler(Protocol):
    """What of a SchedulerClient is used here."""

    def simulate(
        self, context: Any, request: BootRequest, *, changes: Changes
    ) -> Decision:
        """Where servers would go."""

    def capacity(
        self, context: Any, request: BootRequest, *, changes: Changes
    ) -> Capacity:
        """How many more fit."""

    def in_force(self, context: Any) -> dict[str, Any]:
        """What decides."""


class Backends(Protocol):
    """What the API asks in its turn."""

    def scheduler(self) -> Scheduler:
        """The client of the schedulers."""

    def database(self) -> Database:
        """The decisions of all schedulers.

        :raises HttpError: where none is configured.
        """


@dataclass(frozen=True)
class Asked:
    """What is asked, and by whom.

    :param context: the caller's oslo.context.
    :param root: URL of the API, without a slash at its end.
    :param path: the values within the path.
    :param query: the values behind it.
    :param body: empty where the operation takes none.
    """

    context: Any
    backends: Backends
    root: str
    path: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)

    def may(self, rule: str) -> bool:
        """Whether the caller may do something, for its own project."""
        return enforcer.allows(
            rule, self.context, self.context.project_id or ''
        )

    def require(self, rule: str) -> None:
        """Refuse who may not.

        :raises HttpError: naming the rule.
        """
        if not self.may(rule):
            raise HttpError(
                403, 'forbidden', f'policy {rule} does not allow it'
            )
