"""nova-ext-scheduler: Nova's nova-scheduler with our manager.

Nothing but the standard library is imported before Nova's own command,
whose first act is to choose its threads.
"""

import importlib.util
import os
import sys
from pathlib import Path

MANAGER = 'nova_ext.scheduler.manager.SchedulerManager'


def launch() -> None:
    """Become a program of the name nova-scheduler, in the same process.

    oslo.log names a log file after the outermost file that runs, so the
    name has to be a file's.
    """
    if importlib.util.find_spec('nova') is None:
        sys.exit(
            'nova-ext-scheduler: Nova is not installed here; install '
            'nova-ext into the environment that nova-scheduler runs in'
        )
    program = Path(__file__).with_name('nova-scheduler')
    os.execv(  # noqa: S606  this interpreter, a file of this package
        sys.executable, [sys.executable, str(program), *sys.argv[1:]]
    )


def main(manager: str = MANAGER) -> None:
    """Run nova-scheduler, or look as asked; refuse with one line.

    :param manager: the class that decides; another program than
        nova-ext-scheduler may have one of its own.
    """
    try:
        from nova.cmd import scheduler  # noqa: I001  before all else of Nova
        from nova import service

        from nova_ext.scheduler.startup import cli_actions
    except Exception as error:
        sys.exit(f'nova-ext-scheduler: {_why(error)}')
    from oslo_config import cfg

    from nova_ext.conf import unreadable
    from nova_ext.core.base import errors

    service.SERVICE_MANAGERS['nova-scheduler'] = manager
    try:
        run = cli_actions.instead(sys.argv) or scheduler.main
        run()
    except errors.NovaExtError as error:
        sys.exit(f'nova-ext-scheduler: {error}')
    except cfg.Error as error:
        sys.exit(f'nova-ext-scheduler: {unreadable.why(error)}')


def _why(error: Exception) -> str:
    """Why Nova's command, or what it is asked, can't be imported.

    Nova 34's reads the configuration as it is imported.
    """
    from nova_ext.conf import unreadable
    from nova_ext.core.base import errors
    from nova_ext.scheduler.startup import compatibility

    if isinstance(error, errors.NovaExtError):
        return str(error)
    if isinstance(error, unreadable.ERRORS):
        return unreadable.why(error)
    return compatibility.why(error)
