"""Describe a check of a running cloud, and what it may find."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base import finding
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.finding import Unchecked


@dataclass(frozen=True)
class DoctorFinding(finding.Finding):
    """Represent one thing that will cause trouble.

    :param where: the hosts or other objects concerned; may be empty.
    """

    where: str = ''


class NotRunError(NovaExtError):
    """Report a missing fact; see :class:`Unchecked` for the parameters.

    :param silent: type of the service that did not answer, or answered with
        an error of 500 or above. Empty for any other reason.
    """

    def __init__(self, what: str, needs: str, silent: str = '') -> None:
        super().__init__(f'{what}; it needs {needs}')
        self.unchecked = Unchecked(what, needs)
        self.silent = silent


#: What a check finds, and what it can't check.
Results = Iterator[DoctorFinding | Unchecked]


@dataclass(frozen=True)
class DoctorCheck:
    """Represent one check.

    :param name: its module's.
    :param run: takes :class:`nova_ext.doctor.facts.CloudFacts`, raises
        NotRunError when a fact is missing.
    """

    name: str
    run: Callable[[Any], Results]
