"""Define what all kinds of plugins share."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from nova_ext.core.plugin.facts import Facts

Options = Mapping[str, Any]


class Plugin:
    """Hold what all kinds of plugins share.

    :param options: the values of ``option_group``, by option name; empty
        without a group.
    :param facts: facts about the cloud, from the scheduler.
    """

    #: Group of nova.conf whose values the plugin gets.
    option_group: ClassVar[str | None] = None
    #: Names of all scheduler hints that the plugin reads; () for none.
    #: Write it as a literal: nova-ext lint reads it from the source. None:
    #: not known, so no hint of a request is reported as unread.
    hints: ClassVar[Sequence[str] | None] = None
    #: Prefix of further hints that it reads.
    hint_prefix: ClassVar[str] = ''

    facts: Facts

    def __init__(
        self, options: Options | None = None, facts: Facts | None = None
    ) -> None:
        self.options: Options = options or {}
        if facts is not None:
            self.facts = facts

    def get_needed_stats(self) -> Collection[str]:
        """Return the names of the pushed stats that the plugin reads.

        Programs that push stats send those that some plugin needs.
        """
        return ()
