"""Check that journals can be replayed as the day would have gone."""

from collections.abc import Sequence
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.mode import Mode
from nova_ext.journal.model import IMPORTED, JournalProcess
from nova_ext.journal.reader import JournalReader

#: Groups of options in which workers of one day are alike.
_ALIKE = ('filter_scheduler', 'scheduler', 'nova_ext')


def check(files: Sequence[Path]) -> bool:
    """Check that journals can be replayed so.

    :returns: whether it was imported.
    :raises NovaExtError: they can't be.
    """
    processes_: list[JournalProcess] = []
    has_cloud = False
    for path in files:
        reader = JournalReader(path)
        for decision in reader:
            has_cloud = has_cloud or bool(decision.known)
        if reader.process.mode == IMPORTED:
            _check_imported(files, reader)
            return True
        processes_ += reader.processes
    if not has_cloud:
        why = (
            'a stock nova-scheduler wrote it'
            if processes_[0].mode == Mode.PLUGIN
            else 'the mirror did not decide'
        )
        raise NovaExtError(
            f'{files[0]}: not replayable with --rolling: {why}, so that it '
            f'lacks hosts that were not offered, and their resource '
            f'providers; a scheduler keeps them with [nova_ext] journal = '
            f'true and mirror = on'
        )
    first = processes_[0]
    for process in processes_:
        differing = _find_difference(first, process)
        if differing:
            raise NovaExtError(
                f'not replayable with --rolling: {differing} of '
                f'{first.worker} and {process.worker} differ; name the files '
                f'of one configuration'
            )
    return False


def _check_imported(files: Sequence[Path], reader: JournalReader) -> None:
    """Check that an imported journal is the only one, and whole.

    :raises NovaExtError: it is not.
    """
    if len(files) > 1:
        raise NovaExtError(
            f'{reader.path} was imported: --rolling takes it alone'
        )
    if reader.damage:
        raise NovaExtError(
            f'{reader.path}: {reader.damage[0].text}: --rolling needs every '
            f'decision; import the tables again'
        )


def _find_difference(first: JournalProcess, other: JournalProcess) -> str:
    """Return what differs of two workers' configurations; empty: nothing."""
    for group in _ALIKE:
        before, after = (
            each.configuration.get(group, {}) for each in (first, other)
        )
        for name in {**before, **after}:
            if before.get(name) != after.get(name):
                return f'[{group}] {name}'
    if [each.digest for each in first.plugins] != [
        each.digest for each in other.plugins
    ]:
        return 'filters and weighers'
    return ''
