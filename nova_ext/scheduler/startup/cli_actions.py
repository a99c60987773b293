"""What nova-ext-scheduler does instead of serving, where it is asked to."""

import warnings
from collections.abc import Callable, Sequence

from nova import config

from nova_ext.conf import command_line, unreadable
from nova_ext.core.base import errors
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.startup import compatibility

CONF.register_cli_opts(command_line.OPTS)


def instead(argv: Sequence[str]) -> Callable[[], None] | None:
    """What the command line asks for.

    :param argv: the program's name and its words.
    :returns: None where it asks for a scheduler that serves.
    """
    words = {word.partition('=')[0] for word in argv}
    if '--check' in words:
        return lambda: _check(argv)
    if '--ping' in words:
        return lambda: _ping(argv)
    return None


def _check(argv: Sequence[str]) -> None:
    # Of the libraries' authors, for themselves.
    warnings.simplefilter('ignore')
    try:
        config.parse_args(argv, configure_db=False, init_rpc=False)
    except unreadable.ERRORS as error:
        raise errors.NovaExtError(unreadable.why(error)) from error
    with compatibility.told():
        from nova_ext.scheduler.startup import startup_check

        startup_check.check()


def _ping(argv: Sequence[str]) -> None:
    from nova_ext.scheduler.rpc import ping

    config.parse_args(argv, configure_db=False)
    ping.wait(CONF.ping)
