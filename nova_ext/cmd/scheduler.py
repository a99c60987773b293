"""Run nova-ext-scheduler: Nova's nova-scheduler with our manager.

Nothing but the standard library is loaded before Nova's own command,
whose first act is to choose its threads.
"""

import importlib.util
import os
import sys
from pathlib import Path

from nova_ext.cmd import arguments

MANAGER = 'nova_ext.scheduler.manager.SchedulerManager'


def launch() -> None:
    """Replace this process by a program named nova-scheduler.

    oslo.log names a log file after the program's file.
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


def main() -> None:
    """Run nova-scheduler or a check; exit with one line on an error."""
    arguments.refuse_in_one_line('nova-ext-scheduler')
    try:
        from nova.cmd import scheduler  # noqa: I001  before all else of Nova
        from nova import service

        from nova_ext.scheduler.startup import cli_actions
    except Exception as error:
        sys.exit(f'nova-ext-scheduler: {_describe(error)}')
    from oslo_config import cfg

    from nova_ext.conf import config_errors
    from nova_ext.core.base import errors

    service.SERVICE_MANAGERS['nova-scheduler'] = MANAGER
    try:
        run = cli_actions.find_action(sys.argv) or scheduler.main
        run()
    except errors.NovaExtError as error:
        sys.exit(f'nova-ext-scheduler: {error}')
    except (cfg.Error, UnicodeDecodeError, IsADirectoryError) as error:
        sys.exit(f'nova-ext-scheduler: {config_errors.describe(error)}')


def _describe(error: Exception) -> str:
    """Say why Nova's command can't be imported.

    Nova 34 reads the configuration while it is imported.
    """
    from nova_ext.conf import config_errors
    from nova_ext.core.base import errors
    from nova_ext.scheduler.startup import compatibility

    if isinstance(error, errors.NovaExtError):
        return str(error)
    if isinstance(error, config_errors.ERRORS):
        return config_errors.describe(error)
    return compatibility.describe_error(error)
