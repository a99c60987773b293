"""Trying one plain file in a lab: simulate or boot, and show verdicts."""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli.boot import convert_image
from nova_ext.core.base.errors import RecordError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import explain
from nova_ext.core.plugin import plugin_file
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest
from nova_ext.lab.configuration import nova_config
from nova_ext.lab.demo import servers
from nova_ext.lab.lifecycle import restart, temporary_settings
from nova_ext.lab.services import layout
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.settings import Settings
from nova_ext.lab.trial import trial_socket
from nova_ext.record import reader

FILES = 'nova_ext.extension_files'
FILTERS = 'filter_scheduler.enabled_filters'
DRIVER = 'nova_ext.scheduler_driver'

_SERVER = 'try'
_RECORD_DEADLINE_S = 60.0
_POLL_S = 0.2

#: What a verdict's row holds.
COLUMNS = ('Host', 'Verdict', 'Why')


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What came of a server with a file's extensions in the scheduler.

    :param names: of the file's classes, by kind.
    :param outcome: a clause about the server.
    """

    names: Mapping[str, Sequence[str]]
    outcome: str
    decision: Decision


#: Gives the verdict on a file as it is now.
Judge = Callable[[Path], Verdict]


def why_boot(place: Place) -> str:
    """Return why the lab can't simulate; empty: it can."""
    if trial_socket.serves(place):
        return ''
    if lab_state.load(place).stock:
        return 'Nova\'s own scheduler decides here, and simulates nothing'
    return 'no scheduler of the lab answers'


def simulating(place: Place, hints: Mapping[str, str]) -> Judge:
    """Return what simulates a boot; the lab stays as it is.

    :param hints: scheduler hints of the server.
    """
    cloud = Cloud(lab_state.load(place))
    session: Any = cloud.session
    access = session.auth.get_access(session)
    who = {'user_id': access.user_id, 'project_id': access.project_id}
    request = BootRequest(
        BootFlavor(0, 0, flavorid=servers.FLAVOR), stored_flavor=True,
        image=convert_image(servers.find_image(cloud, servers.IMAGE)),
        hints=dict(hints), **who,
    )
    question = {
        'request': request.to_dict(),
        'caller': {**who, 'roles': list(access.role_names)},
    }

    def judge(path: Path) -> Verdict:
        answer = trial_socket.ask(place, {**question, 'file': str(path)})
        decision = Decision.from_dict(answer['decision'])
        hosts = [chosen[0] for chosen in decision.chosen.values()]
        return Verdict(
            answer['names'], f'the server would go to {hosts[0]}' if hosts
            else f'no host fits: {explain.explain(decision).sentence}',
            decision,
        )

    return judge


@contextlib.contextmanager
def booting(
    place: Place, hints: Mapping[str, str], progress: Progress
) -> Iterator[Judge]:
    """Give what boots a server; the lab is as it was afterwards.

    :param hints: scheduler hints of the server.
    """
    def judge(path: Path) -> Verdict:
        names = plugin_file.names(plugin_file.extensions(path))
        load(place, settings(path, names, lab_state.load(place)), progress)
        with progress.step('booting a server'):
            status, decision = boot(place, hints)
        return Verdict(names, f'the server is {status}', decision)

    with temporary_settings.restored(place, (FILES, FILTERS, DRIVER), progress):
        yield judge


def settings(
    path: Path, found: Mapping[str, Sequence[str]], state: lab_state.State
) -> Settings:
    """What makes the scheduler use a file's extensions beside the others.

    :param found: names of the file's classes, by kind.
    :raises LabError: for a driver in a lab whose scheduler has none.
    """
    if state.stock_schedulers and 'driver' in found:
        raise LabError(
            f'{path}: a driver needs nova-ext-scheduler, and the lab has '
            'Nova\'s own; "nova-ext lab up --no-stock" replaces it'
        )
    remembered = state.settings.get(FILTERS)
    enabled = (
        remembered[-1].split(',') if remembered
        else list(nova_config.ENABLED_FILTERS)
    )
    own = list(found.get('filter', ()))
    others = [name for name in enabled if name not in own]
    wish = {FILES: [str(path)], FILTERS: [','.join(others + own)]}
    if 'driver' in found:
        wish[DRIVER] = list(found['driver'])
    return wish


def load(place: Place, wish: Settings, progress: Progress) -> None:
    """Have the scheduler load the file as it is now."""
    if not temporary_settings.settings(place, wish, progress):
        restart.restart(place, layout.SCHEDULER, progress)


def boot(place: Place, hints: Mapping[str, str]) -> tuple[str, Decision]:
    """Boot a server, and remove it again.

    :returns: its status and the decision that was made for it.
    """
    cloud = Cloud(lab_state.load(place))
    servers.remove(cloud, _SERVER)
    server = servers.boot(cloud, _SERVER, hints)
    try:
        return server['status'], _decision(place, server['id'])
    finally:
        servers.remove(cloud, _SERVER)


def saved(path: Path) -> Iterator[None]:
    """Give at once, and again each time that a file's text has changed."""
    text = _text(path)
    yield
    while True:
        now = _text(path)
        if now and now != text:
            text = now
            yield
        time.sleep(_POLL_S)


def verdicts(
    decision: Decision, weighers: Sequence[str]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Each host's verdict.

    :param weighers: weighers whose raw weights are shown too.
    :returns: column names and rows, the best host last so that it stands
        right above the prompt.
    """
    rows: list[tuple[str, ...]] = []
    blank = ('',) * len(weighers)
    for attempt in decision.attempts[:1]:
        raw = {made.name: made.weights for made in attempt.weighers}
        for step in attempt.steps:
            for rejection in step.rejections:
                rows += [
                    (host, f'rejected by {step.name}', rejection.reason,
                     *blank)
                    for host in rejection.hosts
                ]
        rows += [
            (host, 'passes', f'place {rank} of {attempt.ranked_count}',
             *(str(raw.get(name, {}).get(host, '')) for name in weighers))
            for rank, host in reversed(list(enumerate(attempt.ranked, 1)))
        ]
    return (*COLUMNS, *weighers), rows


def _text(path: Path) -> bytes:
    # An editor may put a new file in the old one's place.
    return path.read_bytes() if path.exists() else b''


def _decision(place: Place, server: str) -> Decision:
    """The decision of a server; it is written right after it is made."""
    deadline = time.monotonic() + _RECORD_DEADLINE_S
    while True:
        try:
            return reader.find(place.record, server).decisions[0]
        except RecordError as error:
            if time.monotonic() > deadline:
                raise LabError(str(error)) from error
        time.sleep(_POLL_S)
