"""What nova-ext-api is configured by: Nova's files, and its own."""

import os

from oslo_config import cfg
from oslo_log import log

from nova_ext import conf as options
from nova_ext.conf import unreadable
from nova_ext.core.base import errors
from nova_ext.policy import enforcer

#: Names the files in place of those that are found, separated by ``;``.
FILES = 'OS_NOVA_EXT_API_CONFIG_FILES'

PROGRAM = 'nova-ext-api'


def read() -> cfg.ConfigOpts:
    """Read the configuration, and begin to log.

    :returns: oslo.config's own, which its libraries share.
    :raises ConfigurationError: where it can't be read.
    """
    conf = cfg.CONF
    log.register_options(conf)
    named = [name for name in os.environ.get(FILES, '').split(';') if name]
    try:
        conf(
            [], project='nova', prog=PROGRAM,
            default_config_files=named or None,
        )
    except cfg.Error as error:
        raise errors.ConfigurationError(
            FILES, ';'.join(named) or 'not set', unreadable.why(error)
        ) from None
    options.register_opts(conf)
    log.setup(conf, PROGRAM)
    enforcer.validate()
    return conf
