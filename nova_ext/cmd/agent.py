"""Run nova-ext-agent: push stats of a compute host to the schedulers.

Run beside nova-compute, by any user who may read its configuration.
"""

import contextlib
import logging
import signal
import socket
import sys
import threading

from nova_ext.cmd import arguments, service

LOG = logging.getLogger(__name__)


def main() -> int:
    """Push until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    return service.run('nova-ext-agent', _serve)


def _serve(end: threading.Event) -> None:
    from oslo_config import cfg
    from oslo_context import context

    from nova_ext import conf
    from nova_ext.agent.agent import Agent, load_collectors
    from nova_ext.client import SchedulerClient
    from nova_ext.conf import agent

    conf.register_opts(cfg.CONF)
    # Nova's own option, which names the host in nova-compute, too.
    cfg.CONF.register_opt(cfg.StrOpt('host'))
    # nova.conf, wherever Nova's services look for it.
    cfg.CONF(sys.argv[1:], project='nova', prog='nova-ext-agent')
    group = cfg.CONF[agent.GROUP.name]
    host = cfg.CONF.host or socket.gethostname()
    loaded = load_collectors(group.collectors, cfg.CONF)
    # A push may wait for an answer, which nobody needs at the end.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    if end.is_set():
        return
    with (
        contextlib.suppress(KeyboardInterrupt),
        SchedulerClient(exchange=None) as client,
    ):
        LOG.info('Stats of %s are pushed', host)
        Agent(
            client, context.RequestContext(), host, loaded,
            group.interval_s, group.ask_interval_s, group.services,
        ).run()
