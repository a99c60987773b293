"""Run nova-ext-agent: push stats of a compute host to the schedulers.

Run beside nova-compute, by any user who may read its configuration.
"""

import contextlib
import logging
import socket
import sys
import warnings


def main() -> None:
    """Push until SIGINT; exit with one line where it can't start."""
    if not sys.warnoptions:
        # Warnings that libraries address to their authors.
        warnings.simplefilter('ignore')
    logging.basicConfig(
        level=logging.INFO,
        format='%(asctime)s %(levelname)s %(name)s %(message)s',
    )
    from oslo_config import cfg

    from nova_ext.conf import config_errors
    from nova_ext.core.base import errors

    try:
        with contextlib.suppress(KeyboardInterrupt):
            _run()
    except errors.NovaExtError as error:
        sys.exit(f'nova-ext-agent: {error}')
    except cfg.Error as error:
        sys.exit(f'nova-ext-agent: {config_errors.describe(error)}')


def _run() -> None:
    from oslo_config import cfg
    from oslo_context import context

    from nova_ext import conf
    from nova_ext.agent.agent import Agent, load_collectors
    from nova_ext.client import SchedulerClient
    from nova_ext.conf import agent, config_errors
    from nova_ext.core.base import errors

    conf.register_opts(cfg.CONF)
    # Nova's own option, which names the host in nova-compute, too.
    cfg.CONF.register_opt(cfg.StrOpt('host'))
    # nova.conf, wherever Nova's services look for it.
    try:
        cfg.CONF(sys.argv[1:], project='nova', prog='nova-ext-agent')
    except config_errors.ERRORS as error:
        raise errors.NovaExtError(config_errors.describe(error)) from None
    group = cfg.CONF[agent.GROUP.name]
    host = cfg.CONF.host or socket.gethostname()
    loaded = load_collectors(group.collectors, cfg.CONF)
    with SchedulerClient(exchange=None) as client:
        logging.info('Stats of %s are pushed', host)
        Agent(
            client, context.RequestContext(), host, loaded,
            group.interval_s, group.ask_interval_s, group.services,
        ).run()
