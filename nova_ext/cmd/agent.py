"""nova-ext-agent: pushes stats of a compute host to the schedulers.

Run beside nova-compute, by any user who may read its configuration.
"""

import contextlib
import logging
import socket
import sys
import warnings


def main() -> None:
    """Push until a signal ends it; refuse with one line what can't be used."""
    if not sys.warnoptions:
        # Of the libraries' authors, for themselves.
        warnings.simplefilter('ignore')
    logging.basicConfig(
        level=logging.INFO,
        format='%(asctime)s %(levelname)s %(name)s %(message)s',
    )
    from oslo_config import cfg

    from nova_ext.conf import unreadable
    from nova_ext.core.base import errors

    try:
        with contextlib.suppress(KeyboardInterrupt):
            _run()
    except errors.NovaExtError as error:
        sys.exit(f'nova-ext-agent: {error}')
    except cfg.Error as error:
        sys.exit(f'nova-ext-agent: {unreadable.why(error)}')


def _run() -> None:
    from oslo_config import cfg
    from oslo_context import context

    from nova_ext import conf
    from nova_ext.agent import collectors
    from nova_ext.agent.agent import Agent
    from nova_ext.client import SchedulerClient
    from nova_ext.conf import agent

    conf.register_opts(cfg.CONF)
    # Nova's own option, which names the host in nova-compute, too.
    cfg.CONF.register_opt(cfg.StrOpt('host'))
    # nova.conf, wherever Nova's services look for it.
    cfg.CONF(sys.argv[1:], project='nova', prog='nova-ext-agent')
    group = cfg.CONF[agent.GROUP.name]
    host = cfg.CONF.host or socket.gethostname()
    loaded = collectors.load(
        group.collectors, {agent.GROUP.name: dict(group)}
    )
    with SchedulerClient() as client:
        logging.info('Stats of %s are pushed', host)
        Agent(
            client, context.RequestContext(), host, loaded,
            group.interval_s, group.full_interval_s,
        ).run()
