"""Run nova-ext-builder: carry out builds of servers over zones."""

import argparse
from collections.abc import Sequence
from typing import Any

from nova_ext.cmd import arguments, service
from nova_ext.conf import all_options, named_files

_PROGRAM = 'nova-ext-builder'


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out builds until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    parser = argparse.ArgumentParser(
        _PROGRAM, description='Carry out the builds in the database that '
        '[nova_ext_database] connection names. Several may run.',
    )
    parser.add_argument(
        '--config-file', metavar='FILE', action='append', default=[],
        help='configuration file of nova-ext-api; may be repeated; default: '
             'the files that it would find here',
    )
    parser.add_argument(
        '--config-dir', metavar='DIR', action='append', default=[],
        help='folder of configuration files; may be repeated',
    )
    options = parser.parse_args(argv)
    service.require_extra(
        'api', 'sqlalchemy', 'oslo_db', 'jsonschema', 'keystonemiddleware'
    )
    return service.run(
        _PROGRAM, lambda end: _make_builder(options).run(end)
    )


def _make_builder(options: argparse.Namespace) -> Any:
    """Return the builder of a configuration. Its imports take long."""
    import functools

    from keystonemiddleware import opts
    from oslo_config import cfg
    from oslo_log import log

    from nova_ext.client import SchedulerClient
    from nova_ext.database.database import SERVICE_S, open_database
    from nova_ext.zones.builds import trusts
    from nova_ext.zones.builds.build_user import open_users
    from nova_ext.zones.builds.builder import Builder
    from nova_ext.zones.child import open_children

    conf = cfg.CONF
    log.register_options(conf)
    named_files.read(
        conf, options.config_file, options.config_dir, 'nova-ext-api',
        alone=True,
    )
    all_options.register_all_opts(conf)
    for group, declared in opts.list_auth_token_opts():
        conf.register_opts(declared, group=group)
    database = open_database(conf, SERVICE_S)
    get_scheduler = functools.cache(
        functools.partial(SchedulerClient, exchange=None)
    )
    return Builder(
        database, conf.nova_ext_builds,
        open_users(database, open_children(conf), get_scheduler),
        trusts.delete_trust,
    )
