"""Keep the resource providers that a file's decisions have by turns."""

from collections.abc import Mapping

from nova_ext.journal.model import (
    JournalDecision,
    JournalProcess,
    JournalProvider,
)


class KnownProviders:
    """Keep what is known after each decision of a file.

    :ivar now: providers by UUID. What is in it does not change.
    """

    def __init__(self) -> None:
        self.now: Mapping[str, JournalProvider] = {}
        self._process: JournalProcess | None = None

    def add(self, process: JournalProcess, decision: JournalDecision) -> None:
        """Take the providers of the next decision.

        :param process: the reader's: an epoch begins with another one, and
            has all providers anew.
        """
        if process is not self._process:
            self._process, self.now = process, {}
        if decision.providers:
            self.now = {**self.now, **{
                provider.uuid: provider for provider in decision.providers
            }}
