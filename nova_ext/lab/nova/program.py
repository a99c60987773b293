"""Nova's own programs, which a lab with a message broker runs.

Each process waits for what its program needs, so that all of a lab can be
started at once, and is replaced by it. At a terminal it runs the scheduler
itself.
"""

import os
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from nova_ext.lab.configuration import broker, nova_config
from nova_ext.lab.nova import terminal
from nova_ext.lab.process import databases
from nova_ext.lab.process.process import Call, Stop
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State

CONDUCTOR = 'conductor'
SCHEDULER = 'scheduler'

#: Programs that schedule: nova-ext's and Nova's own.
OURS = 'nova-ext-scheduler'
STOCK = 'nova-scheduler'

_PATIENCE_S = 300
_POLL_S = 0.1


def schedulers(state: State) -> dict[str, str]:
    """Return the schedulers of a lab.

    :returns: program by name; without a broker the one scheduler has no
        process of this name.
    """
    ours = state.schedulers - state.stock_schedulers
    return {
        f'{SCHEDULER}-{number + 1}': OURS if number < ours else STOCK
        for number in range(state.schedulers)
    }


def nova_host(service: str) -> str:
    """Return the host that Nova takes a conductor or scheduler to be on.

    Several schedulers on this machine are as many hosts to Nova.
    """
    return nova_config.CONTROL_HOST if service == CONDUCTOR else service


def workers(service: str, state: State) -> int:
    """Return how many processes a conductor or scheduler has.

    A stock scheduler has one: forked workers of Nova 34's share the
    connection to placement that their master has opened, and read each
    other's answers.
    """
    if schedulers(state).get(service) == STOCK:
        return 1
    option = f'{service.partition("-")[0]}.workers'
    return int(state.settings.get(option, ['1'])[-1])


def queue(service: str) -> str:
    """Return the queue of one conductor or scheduler alone."""
    return f'{service.partition("-")[0]}.{nova_host(service)}'


def consumes(state: State, service: str) -> bool:
    """Return whether every worker of a program takes messages."""
    return broker.consumers(state, queue(service)) >= workers(service, state)


def start(here: Call, state: State) -> Stop:
    """Become the program; at a terminal, start the scheduler here."""
    _wait(here, state)
    os.environ.update(_options(here.service, state))
    scheduler = schedulers(state).get(here.service)
    if here.foreground:
        return terminal.start_scheduler(here, ours=scheduler == OURS)
    return _become(here, scheduler or 'nova-conductor')


def _options(service: str, state: State) -> dict[str, str]:
    """Return options of one program alone, for oslo.config to find."""
    options = {'OS_DEFAULT__HOST': nova_host(service)}
    if service != CONDUCTOR:
        options['OS_SCHEDULER__WORKERS'] = str(workers(service, state))
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


def _become(here: Call, program: str) -> NoReturn:
    configuration = here.place.configuration('nova') / 'nova.conf'
    command = [*_command(program), '--config-file', str(configuration)]
    os.execv(command[0], command)  # noqa: S606  Nova's program, or ours


def _command(program: str) -> list[str]:
    if program == OURS:
        # As it is, but for the manager, which takes files to try.
        return [sys.executable, str(Path(__file__).with_name(STOCK))]
    return [str(Path(sysconfig.get_path('scripts'), program))]

