"""Get the verdict on a plain file in a lab by the boot of a server.

The scheduler is restarted with the file, Nova's own as well as ours.
"""

import contextlib
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path

from nova_ext.core.base.errors import RecordError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision import decision as d
from nova_ext.core.plugin import plugin_file
from nova_ext.lab.configuration import nova_config
from nova_ext.lab.lifecycle import logs, restart
from nova_ext.lab.lifecycle.up import restored_settings
from nova_ext.lab.services import layout, servers
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import Settings, State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.trial.verdicts import Judge, Verdict
from nova_ext.nova_releases import plugins_and_options
from nova_ext.record import reader

FILES = 'nova_ext.extension_files'
FILTERS = 'filter_scheduler.enabled_filters'
WEIGHERS = 'filter_scheduler.weight_classes'
DRIVER = 'nova_ext.scheduler_driver'

#: Names of Nova's own classes, by kind.
_NOVAS: Mapping[str, Collection[str]] = {
    'filter': plugins_and_options.FILTERS,
    'weigher': plugins_and_options.WEIGHERS,
}
#: Servers of this name are removed: nobody else's are called so.
_SERVER = 'nova-ext-lab-try'
_RECORD_DEADLINE_S = 60.0
_POLL_S = 0.2


@contextlib.contextmanager
def make_booter(
    lab: LabFolder, hints: Mapping[str, str], progress: Progress
) -> Iterator[Judge]:
    """Give a judge that boots a server; restore the lab's settings after it.

    :param hints: scheduler hints of the server.
    """
    def judge(path: Path) -> Verdict:
        names = plugin_file.get_names(plugin_file.load_extensions(path))
        _check_names(path, names)
        settings = _add_extensions(lab, path, names, lab_state.load(lab))
        if not change(settings):
            restart.restart(lab, layout.SCHEDULER, progress)
        starts = {log: logs.size(log) for log in _list_logs(lab)}
        with progress.step('booting a server'):
            status, decision = _boot(lab, hints)
        if decision.outcome == d.FAILED:
            raised = [
                logs.find_raised(log, start, path)
                for log, start in starts.items()
            ]
            reason = next(filter(None, raised), decision.message)
            raise LabError(f'{reason}; the server is {status}')
        return Verdict(names, f'the server is {status}', decision)

    options = (FILES, FILTERS, WEIGHERS, DRIVER)
    with restored_settings(lab, options, progress) as change:
        yield judge


def _check_names(path: Path, names: Mapping[str, Sequence[str]]) -> None:
    """Refuse a class that a scheduler with the file would not start with.

    An installed plugin may be replaced by its own source alone.

    :param names: names of the file's classes, by kind.
    :raises LabError: for a name that another class has.
    """
    for kind, own in names.items():
        owners = dict.fromkeys(_NOVAS.get(kind, ()), 'Nova')
        for point in metadata.entry_points(group=f'nova_ext.{kind}s'):
            module = tuple(point.module.split('.'))
            if path.with_suffix('').parts[-len(module):] != module:
                owners[point.name] = point.module.partition('.')[0]
        for name in own:
            if name in owners:
                raise LabError(
                    f'{path}: there is a {kind} {name} of {owners[name]} '
                    'already; rename the class'
                )


def _add_extensions(
    lab: LabFolder, path: Path, names: Mapping[str, Sequence[str]],
    state: State,
) -> Settings:
    """Return settings that add a file's extensions to the scheduler's.

    :param names: names of the file's classes, by kind.
    :raises LabError: for a driver in a lab whose scheduler has none.
    """
    if state.stock_schedulers and 'driver' in names:
        raise LabError(
            f'{path}: a driver needs nova-ext-scheduler, and the lab has '
            f'Nova\'s own; "nova-ext lab up --name {lab.name} --no-stock" '
            'replaces it'
        )
    values = state.settings.get(FILTERS)
    enabled = (
        values[-1].split(',') if values
        else nova_config.list_default_filters(state)
    )
    own = list(names.get('filter', ()))
    others = [name for name in enabled if name not in own]
    settings = {FILES: [str(path)], FILTERS: [','.join(others + own)]}
    if 'weigher' in names and WEIGHERS not in state.settings:
        # A stock scheduler of a lab has Nova's alone.
        settings[WEIGHERS] = [nova_config.WEIGHT_CLASSES]
    if 'driver' in names:
        settings[DRIVER] = list(names['driver'])
    return settings


def _list_logs(lab: LabFolder) -> list[Path]:
    """Return the logs of the lab's schedulers."""
    services = layout.find(lab_state.load(lab), layout.SCHEDULER)
    return [lab.log(service.name) for service in services]


def _boot(lab: LabFolder, hints: Mapping[str, str]) -> tuple[str, d.Decision]:
    """Boot a server, and remove it again.

    :returns: its status and the decision on it.
    """
    cloud = Cloud(lab_state.load(lab))
    servers.remove(cloud, _SERVER)
    server = servers.boot(cloud, _SERVER, hints)
    try:
        return server['status'], _find_decision(lab, server['id'])
    finally:
        servers.remove(cloud, _SERVER)


def _find_decision(lab: LabFolder, server: str) -> d.Decision:
    """Return the decision on a server; it is written after the boot."""
    deadline = time.monotonic() + _RECORD_DEADLINE_S
    while True:
        try:
            return reader.find(lab.record, server).decisions[0]
        except RecordError as error:
            if time.monotonic() > deadline:
                raise LabError(str(error)) from error
        time.sleep(_POLL_S)
