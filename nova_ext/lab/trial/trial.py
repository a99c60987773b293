"""A simulated boot in which a plain file's extensions have their say.

This is the scheduler's side: it runs the file in the scheduler's process.
What decides real boots does not come to know of it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nova import context, exception

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import decision as d
from nova_ext.core.plugin import plugin_file
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.lab.state.errors import LabError
from nova_ext.scheduler.decide import request_spec
from nova_ext.scheduler.decide.deciding import DecidingManager, unwrapped
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import drivers, recording
from nova_ext.scheduler.plugins.filter_adapter import FilterAdapter
from nova_ext.scheduler.plugins.weigher_adapter import WeigherAdapter
from nova_ext.scheduler.simulate.questions import MAX_RANKED
from nova_ext.scheduler.simulate.simulation import Simulation

Extensions = Mapping[str, Sequence[type]]


def answer(live: DecidingManager, question: dict[str, Any]) -> dict[str, Any]:
    """Decide a request with the extensions of a file, as it is now.

    :param live: the manager that decides real boots.
    :param question: ``file``, its path; ``request``, a BootRequest; and
        ``caller``, arguments of a RequestContext.
    :returns: ``names`` of the file's classes, by kind, and the ``decision``.
    :raises LabError: for a file that can't be used, with its line number
        where there is one.
    """
    path = Path(question['file'])
    with plugin_file.loaded(path) as extensions:
        try:
            made = _decide(live, extensions, question)
        except (Exception, SystemExit) as error:
            raise _failure(path, error) from error
    return {
        'names': plugin_file.names(extensions),
        'decision': made.to_sparse_dict(),
    }


def _decide(
    live: DecidingManager, extensions: Extensions, question: dict[str, Any]
) -> d.Decision:
    trial = Trial(live, extensions)
    caller = context.RequestContext(**question['caller'])
    made = trial.decide(caller, *request_spec.make(
        caller, BootRequest.from_dict(question['request'])
    ))
    if trial.raised is not None:
        raise trial.raised
    if made is None:
        raise LabError('no decision; the scheduler\'s log says why')
    return made


class Trial(Simulation):
    """Decides one request with more extensions, and does nothing.

    :param live: the manager that decides real boots.
    :param extensions: classes under ``filter``, ``weigher`` and ``driver``.
        They come last, and in place of others of their names.
    :ivar raised: the refusal of a request in which an extension raised.
    """

    def __init__(self, live: DecidingManager, extensions: Extensions) -> None:
        super().__init__(live, Changes(), MAX_RANKED)
        known = self.host_manager
        known.enabled_filters = _with(
            known.enabled_filters, FilterAdapter.adapt, extensions.get('filter')
        )
        known.weighers = _with(
            known.weighers, WeigherAdapter.adapt, extensions.get('weigher')
        )
        recording.record_all(known)
        given = [
            drivers.make(cls.__name__, cls, nova_facts.get())
            for cls in extensions.get('driver', ())
        ]
        if len(given) > 1:
            names = ' and '.join(type(driver).__name__ for driver in given)
            raise LabError(f'{names} are drivers of one topic; keep one')
        self.drivers = {**self.drivers, **{one.topic: one for one in given}}
        self.raised: exception.NoValidHost | None = None

    def select_destinations(self, *about: Any, **how: Any) -> Any:
        """Choose hosts, and keep what an extension raised."""
        try:
            return unwrapped(super().select_destinations, *about, **how)
        except exception.NoValidHost as error:
            if error.__cause__ is not None:
                self.raised = error
            raise


def _with(
    known: Sequence[Any], adapt: Any, classes: Sequence[type] | None
) -> list[Any]:
    """Return filters or weighers, the given ones last."""
    own = classes or ()
    names = {cls.__name__ for cls in own}
    return [
        *(one for one in known if type(one).__name__ not in names),
        *(adapt(cls)() for cls in own),
    ]


def _failure(path: Path, error: BaseException) -> LabError:
    """Return what went wrong in one line, with the file's line if it has one.

    :param error: from an extension, it has what that raised as its cause.
    """
    cause = error.__cause__ or error
    if plugin_file.line_number(path, cause):
        return LabError(plugin_file.locate(path, cause))
    line = str(error)
    if not isinstance(error, NovaExtError):
        what = type(error).__name__ if cause is error else line
        line = f'{what}: {cause}'
    return LabError(' '.join(line.split()))
