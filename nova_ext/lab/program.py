"""Become one of Nova's own programs: ``python -m nova_ext.lab.program``.

It waits for what the program needs, so that all of a lab can be started at
once, and is replaced by it. At a terminal it runs the scheduler itself.
"""

import os
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from nova_ext.lab import (
    broker,
    databases,
    layout,
    nova_config,
    process,
    states,
)
from nova_ext.lab.errors import LabError
from nova_ext.lab.process import Call
from nova_ext.lab.states import State

_PATIENCE_S = 300
_POLL_S = 0.1


def main() -> None:
    """Become the program."""
    here = process.call('nova_ext.lab.program')
    with here.reporter.starting():
        state = states.load(here.place)
        _wait(here, state)
        os.environ.update(_options(here.service, state))
        if not here.foreground:
            _become(here, _program(here.service, state))
    from nova_ext.lab import terminal

    terminal.schedule(here, state)


def _options(service: str, state: State) -> dict[str, str]:
    """Options of one program alone, for oslo.config to find."""
    options = {'OS_DEFAULT__HOST': layout.nova_host(service)}
    if service != layout.CONDUCTOR:
        options['OS_SCHEDULER__WORKERS'] = str(layout.workers(service, state))
        options['OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE'] = str(
            nova_config.requests_at_a_time(state)
        )
    return options


def _wait(here: Call, state: State) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    needs: dict[str, Callable[[], bool]] = {
        'the broker': lambda: broker.serves(state),
        'its databases': lambda: databases.prepared(
            here.place, databases.NOVA
        ),
    }
    for what, is_there in needs.items():
        here.reporter.tell(f'waiting for {what}')
        while not is_there():
            if time.monotonic() > deadline:
                raise LabError(f'{what} did not come')
            time.sleep(_POLL_S)
    here.reporter.tell('starting')


def _program(service: str, state: State) -> str:
    program = layout.find_one(state, service).program
    assert program is not None  # noqa: S101  or it would not run this module
    return program


def _become(here: Call, program: str) -> None:
    path = Path(sysconfig.get_path('scripts'), program)
    configuration = here.place.configuration('nova') / 'nova.conf'
    os.execv(  # noqa: S606  Nova's own program, or ours in its place
        path, [program, '--config-file', str(configuration)]
    )


if __name__ == '__main__':
    main()
