"""Run the services that are no service of Nova's: exporter, agent and more.

They log to stderr, which systemd and containers keep. The files that they
read are Nova's, and name the log of another service.
"""

import importlib.util
import logging
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

from nova_ext.conf import config_errors
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.scheduling_errors import SchedulingError


def require_extra(extra: str, *modules: str) -> None:
    """Exit with one line where an extra is not installed.

    :param modules: what the extra installs.
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            sys.exit(
                f'{Path(sys.argv[0]).name}: {module} is not installed here: '
                f'pip install \'nova-ext[{extra}]\''
            )


def run(program: str, serve: Callable[[threading.Event], None]) -> int:
    """Run a service until SIGTERM or SIGINT.

    Exit with one line if it can't start.

    :param serve: works until the event is set.
    :returns: the exit status.
    """
    if not sys.warnoptions:
        # Libraries address these warnings to their authors.
        warnings.simplefilter('ignore')
    logging.basicConfig(format='%(levelname)s %(message)s')
    logging.getLogger('nova_ext').setLevel(logging.INFO)
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    try:
        serve(end)
    except (NovaExtError, SchedulingError) as error:
        sys.exit(f'{program}: {error}')
    except config_errors.ERRORS as error:
        sys.exit(
            f'{program}: the configuration can\'t be read: '
            f'{config_errors.describe(error)}'
        )
    return 0
