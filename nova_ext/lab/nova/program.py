"""Become one of Nova's programs, in a lab with a message broker.

Each process waits for what its program needs, so that all of a lab can be
started at once. Then the program replaces it.
"""

import os
import sysconfig
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from nova_ext.lab.configuration import broker, nova_config
from nova_ext.lab.process import databases
from nova_ext.lab.process.process import Arguments
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State

CONDUCTOR = 'conductor'
SCHEDULER = 'scheduler'

#: Programs that schedule: nova-ext's and Nova's own.
OURS = 'nova-ext-scheduler'
STOCK = 'nova-scheduler'

_PATIENCE_S = 300
_POLL_S = 0.1


def list_schedulers(state: State) -> dict[str, str]:
    """Return the program of each scheduler of a lab, by name.

    Without a broker the one scheduler has no process of its own.
    """
    ours = state.schedulers - state.stock_schedulers
    return {
        f'{SCHEDULER}-{number + 1}': OURS if number < ours else STOCK
        for number in range(state.schedulers)
    }


def nova_host(service: str) -> str:
    """Return the host that Nova takes a conductor or scheduler to be on.

    To Nova, each scheduler is on a host of its own.
    """
    return nova_config.CONTROL_HOST if service == CONDUCTOR else service


def count_workers(service: str, state: State) -> int:
    """Return how many processes a conductor or scheduler has.

    A stock scheduler has one: forked workers of Nova 34's share their
    master's connection to placement, and read each other's answers.
    """
    if list_schedulers(state).get(service) == STOCK:
        return 1
    option = f'{service.partition("-")[0]}.workers'
    return int(state.settings.get(option, ['1'])[-1])


def queue_name(service: str) -> str:
    """Return the queue of one conductor or scheduler."""
    return f'{service.partition("-")[0]}.{nova_host(service)}'


def is_consuming(state: State, service: str) -> bool:
    """Say whether every worker of a program takes messages."""
    consumers = broker.count_consumers(state, queue_name(service))
    return consumers >= count_workers(service, state)


def start(args: Arguments, state: State) -> NoReturn:
    """Become the program."""
    wait_for(args, {
        'the broker': lambda: broker.is_serving(state),
        'its databases': lambda: databases.is_prepared(
            args.lab, databases.NOVA
        ),
    })
    os.environ.update(_options(args.service, state))
    scheduler = list_schedulers(state).get(args.service)
    become(args, scheduler or 'nova-conductor')


def _options(service: str, state: State) -> dict[str, str]:
    """Return a program's options, as variables that oslo.config reads."""
    options = {'OS_DEFAULT__HOST': nova_host(service)}
    if service != CONDUCTOR:
        options['OS_SCHEDULER__WORKERS'] = str(count_workers(service, state))
        options['OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE'] = str(
            nova_config.thread_pool_size(state)
        )
    return options


def wait_for(
    args: Arguments, needs: Mapping[str, Callable[[], bool]]
) -> None:
    """Wait for what a program needs.

    :param needs: for each, what says whether it is there.
    :raises LabError: when one of them does not come.
    """
    deadline = time.monotonic() + _PATIENCE_S
    for need, is_met in needs.items():
        args.reporter.report(f'waiting for {need}')
        while not is_met():
            if time.monotonic() > deadline:
                raise LabError(f'{need} did not come')
            time.sleep(_POLL_S)
    args.reporter.report('starting')


def become(args: Arguments, program: str) -> NoReturn:
    """Replace this process by a program that reads the lab's nova.conf.

    :param program: the name of its console script.
    """
    configuration = args.lab.configuration('nova')
    files = ['--config-file', str(configuration / 'nova.conf')]
    own = configuration / f'{args.service}.conf.d'
    if own.is_dir():
        # What somebody set for this service alone.
        files += ['--config-dir', str(own)]
    path = str(Path(sysconfig.get_path('scripts'), program))
    os.execv(path, [path, *files])  # noqa: S606  Nova's program, or ours
