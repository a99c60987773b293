"""Run the action of a command-line option instead of the scheduler."""

import time
import warnings
from collections.abc import Callable, Sequence

import oslo_messaging as messaging
from nova import config, context, rpc
from nova.scheduler import rpcapi
from oslo_messaging import opts as messaging_opts

from nova_ext.client.deadline import Deadline
from nova_ext.conf import command_line, config_errors
from nova_ext.core.base import errors
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.startup import compatibility

#: Seconds that one ping waits for its answer.
_PING_S = 2

_RABBIT = 'oslo_messaging_rabbit'

CONF.register_cli_opts(command_line.OPTS)


def find_action(argv: Sequence[str]) -> Callable[[], None] | None:
    """Return the action that the command line asks for.

    :param argv: the program's name and its arguments.
    :returns: None if it asks for none, so that the scheduler starts.
    """
    words = {word.partition('=')[0] for word in argv}
    if '--check' in words:
        return lambda: _check(argv)
    if '--ping' in words:
        return lambda: _ping(argv)
    return None


def _check(argv: Sequence[str]) -> None:
    # Warnings that libraries address to their authors.
    warnings.simplefilter('ignore')
    _read_configuration(argv)
    with compatibility.translate_errors():
        from nova_ext.scheduler.discovery import active_plugins
        from nova_ext.scheduler.startup import startup_check

        filters, weighers = startup_check.check()
        for line in active_plugins.list_lines(filters, weighers):
            print(line)


def _ping(argv: Sequence[str]) -> None:
    _read_configuration(argv)
    _take_own_queue()
    rpc.init(CONF)
    wait_for_scheduler(CONF.ping)


def _read_configuration(argv: Sequence[str]) -> None:
    """Read it as Nova does.

    :raises NovaExtError: where it can't be read.
    """
    try:
        config.parse_args(argv, configure_db=False, init_rpc=False)
    except config_errors.ERRORS as error:
        raise errors.NovaExtError(config_errors.describe(error)) from error


def _take_own_queue() -> None:
    """Have the answer come to a queue that no other process reads.

    With ``use_queue_manager`` oslo.messaging numbers the queues of a program,
    and begins again in another process group. So the ping would take the
    first worker's queue: it has the scheduler's name.
    """
    CONF.register_opts([
        option for group, options in messaging_opts.list_opts()
        if group == _RABBIT
        for option in options if option.dest == 'use_queue_manager'
    ], _RABBIT)
    CONF.set_override('use_queue_manager', False, _RABBIT)


def wait_for_scheduler(timeout_s: float) -> None:
    """Wait until a scheduler of this host answers Nova's own ping.

    :param timeout_s: seconds to wait at most.
    :raises NovaExtError: if none answers in time, or the bus is unreachable.
    """
    ends = time.monotonic() + timeout_s
    try:
        Deadline().run(timeout_s, lambda: _ping_until(ends))
    except messaging.MessagingTimeout:
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} has not answered for '
            f'{timeout_s} s; its log says why'
        ) from None
    except Exception as error:
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} can\'t be asked: '
            f'{type(error).__name__}: {error}'
        ) from error


def _ping_until(ends: float) -> None:
    client = rpc.get_client(messaging.Target(
        topic=rpcapi.RPC_TOPIC, server=CONF.host, namespace='baseapi',
        version='1.0',
    ))
    while True:
        try:
            client.prepare(timeout=_PING_S).call(
                context.get_admin_context(), 'ping', arg='nova-ext'
            )
            return
        except messaging.MessagingTimeout:
            if time.monotonic() > ends:
                raise
