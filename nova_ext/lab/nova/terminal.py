"""Run nova-scheduler at a terminal.

Nova's own command forks its workers, and a forked worker has no terminal to
read from.
"""

import os
import pdb
import sys
from collections.abc import Sequence
from typing import Any

from nova_ext.lab.configuration import nova_config
from nova_ext.lab.process import nova_threads
from nova_ext.lab.process.process import Arguments, Stop


def start_scheduler(
    args: Arguments, files: Sequence[str], ours: bool
) -> Stop:
    """Start nova-scheduler in this process.

    :param files: arguments that name its configuration.
    :param ours: with the manager of nova-ext-scheduler.
    """
    # Two requests at the breakpoint of one filter would share the terminal.
    os.environ['OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE'] = '1'
    log_to_file(args)
    sys.argv = ['nova-scheduler', *files]
    if not nova_threads.available():
        os.environ.setdefault('PYTHONBREAKPOINT', f'{__name__}.stop_here')
    from nova.cmd import scheduler  # noqa: I001  before all else of Nova
    from nova import service

    servers: list[Any] = []
    if ours:
        service.SERVICE_MANAGERS['nova-scheduler'] = nova_config.MANAGER
    service.serve = lambda server, workers: servers.append(server)
    service.wait = lambda: None
    scheduler.main()
    servers[0].start()
    # Nova's has its own deadline.
    return lambda _: servers[0].stop()


def stop_here(*, header: str | None = None) -> None:
    """Do what ``breakpoint()`` does, but leave Ctrl-C alone.

    The debugger would take it for itself where filters run in the main
    thread, as they do on eventlet.
    """
    debugger = pdb.Pdb(nosigint=True)
    if header is not None:
        debugger.message(header)
    debugger.set_trace(sys._getframe(1))


def log_to_file(args: Arguments) -> None:
    """Leave the terminal to the user; call it before Nova reads options."""
    os.environ['OS_DEFAULT__LOG_FILE'] = str(args.lab.log(args.service))
    os.environ['OS_DEFAULT__USE_STDERR'] = 'false'
