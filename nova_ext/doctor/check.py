"""What a check of a running cloud is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nova_ext.core.errors import NovaExtError
from nova_ext.core.finding import Finding


@dataclass(frozen=True)
class Gap:
    """Something that was not looked at.

    :param what: what it is, and why not.
    :param needs: what it would need.
    """

    what: str
    needs: str


class NotRunError(NovaExtError):
    """A check lacks a fact; see :class:`Gap` for the parameters."""

    def __init__(self, what: str, needs: str) -> None:
        super().__init__(f'{what}; it needs {needs}')
        self.gap = Gap(what, needs)


@dataclass(frozen=True)
class Check:
    """One check.

    :param name: a word that tells it from the others.
    :param about: what it looks at, a clause.
    :param run: takes :class:`nova_ext.doctor.facts.Facts`, yields findings
        and gaps; raises NotRunError when it can't begin.
    """

    name: str
    about: str
    run: Callable[[Any], Iterator[Finding | Gap]]
