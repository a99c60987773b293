"""What a check of a running cloud is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base import finding
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.finding import Unchecked


@dataclass(frozen=True)
class Finding(finding.Finding):
    """One thing that will hurt.

    :param where: the hosts or other objects concerned; may be empty.
    """

    where: str = ''


class NotRunError(NovaExtError):
    """A check lacks a fact; see :class:`Unchecked` for the parameters."""

    def __init__(self, what: str, needs: str) -> None:
        super().__init__(f'{what}; it needs {needs}')
        self.unchecked = Unchecked(what, needs)


@dataclass(frozen=True)
class Check:
    """One check.

    :param name: a word that tells it from the others.
    :param about: what it looks at, a clause.
    :param run: takes :class:`nova_ext.doctor.facts.Facts`, yields what is
        found and what is not looked at; raises NotRunError when it can't
        begin.
    """

    name: str
    about: str
    run: Callable[[Any], Iterator[Finding | Unchecked]]
