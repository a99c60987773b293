"""Get the verdicts on a plain file in a lab, by simulation."""

import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli.boot import convert_image
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import explain
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest
from nova_ext.lab.process import nova_threads
from nova_ext.lab.services import servers
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.paths import LabFolder

_POLL_S = 0.2

#: Columns of the hosts' verdicts.
COLUMNS = ('Host', 'Verdict', 'Why')


@dataclasses.dataclass(frozen=True)
class TrialVerdict:
    """Represent the decision on a server with a file's plugins.

    :param names: names of the file's classes, by kind.
    :param outcome: a clause about the server.
    """

    names: Mapping[str, Sequence[str]]
    outcome: str
    decision: Decision


#: Return the verdict on a file.
Judge = Callable[[Path], TrialVerdict]


def make_judge(lab: LabFolder, hints: Mapping[str, str]) -> Judge:
    """Return a judge that simulates a boot; the lab stays as it is.

    :param hints: scheduler hints of the server.
    """
    state = lab_state.load(lab)
    cloud = LabUser(state)
    session: Any = cloud.session
    access = session.auth.get_access(session)
    user = {'user_id': access.user_id, 'project_id': access.project_id}
    request = BootRequest(
        BootFlavor(0, 0, flavorid=servers.FLAVOR), stored_flavor=True,
        image=convert_image(servers.find_image(cloud, servers.IMAGE)),
        hints=dict(hints), **user,
    )
    caller = {**user, 'roles': list(access.role_names)}
    nova_threads.choose()
    from nova_ext.lab.trial import trial

    trial.read_configuration(lab)

    def judge(path: Path) -> TrialVerdict:
        names, decision = trial.decide(
            # Made anew, it knows the aggregates and cells of now.
            trial.make_decider(stock=state.stock), path, request, caller
        )
        hosts = [chosen[0] for chosen in decision.chosen.values()]
        return TrialVerdict(
            names, f'the server would go to {hosts[0]}' if hosts
            else f'no host fits: {explain.explain(decision).sentence}',
            decision,
        )

    return judge


def watch(path: Path) -> Iterator[None]:
    """Yield at once, and again each time that a file's text has changed."""
    text = _read(path)
    yield
    while True:
        now = _read(path)
        if now and now != text:
            text = now
            yield
        time.sleep(_POLL_S)


def list_verdicts(
    decision: Decision, weighers: Sequence[str]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return each host's verdict.

    :param weighers: weighers whose raw weights are shown too.
    :returns: column names and rows, the best host last: right above the
        prompt.
    """
    rows: list[tuple[str, ...]] = []
    blank = ('',) * len(weighers)
    for attempt in decision.attempts[:1]:
        raw = {weigher.name: weigher.weights for weigher in attempt.weighers}
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


def _read(path: Path) -> bytes:
    # An editor may put a new file in the old one's place.
    return path.read_bytes() if path.exists() else b''
