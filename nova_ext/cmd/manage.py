"""Run nova-ext-manage: set up and purge the database."""

import argparse
import datetime
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nova_ext.cmd import arguments, service
from nova_ext.core.base.errors import NovaExtError

if TYPE_CHECKING:
    from nova_ext.database.database import Database


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``nova-ext-manage db sync``, ``db version`` or ``db purge``.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    options = _parser().parse_args(argv)
    service.require_extra('store', 'sqlalchemy', 'alembic', 'oslo_db')
    from nova_ext.database.database import find_database

    try:
        options.run(find_database(
            options.config_file, options.config_dir
        ), options)
    except NovaExtError as error:
        sys.exit(f'nova-ext-manage: {error}')
    except KeyboardInterrupt:
        sys.exit('nova-ext-manage: interrupted; what was committed stays')
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('nova-ext-manage')
    arguments.add_configuration(parser)
    db = parser.add_subparsers(required=True, metavar='db').add_parser(
        'db', help='the database of decisions and zones'
    ).add_subparsers(required=True, metavar='sync|version|purge')
    sync = db.add_parser(
        'sync', help='create the tables, or upgrade them to this release'
    )
    sync.set_defaults(run=_sync)
    version = db.add_parser(
        'version', help='print the versions of the tables, and the needed ones'
    )
    version.set_defaults(run=_version)
    purge = db.add_parser(
        'purge', help='delete old decisions, and builds that are over'
    )
    purge.add_argument(
        '--days', type=arguments.make_count_parser(36500), required=True,
        help='delete what is older than this number of days',
    )
    purge.set_defaults(run=_purge)
    return parser


def _sync(database: 'Database', options: argparse.Namespace) -> None:
    database.sync()
    _version(database, options)


def _version(database: 'Database', options: argparse.Namespace) -> None:
    from nova_ext.database import schema

    versions = database.read_versions()
    for each in schema.list_schemas():
        print(f'{each.name} {versions[each.name] or "none"}, '
              f'needed {each.needed}')


def _purge(database: 'Database', options: argparse.Namespace) -> None:
    from nova_ext.core.base.progress import Progress
    from nova_ext.database import schema

    before = datetime.datetime.now(datetime.UTC) - datetime.timedelta(
        days=options.days
    )
    total, progress = 0, Progress()
    with progress.step('deleting'):
        for each in schema.list_schemas():
            while True:
                with database.writing() as session:
                    count = each.purge(session, before)
                if not count:
                    break
                total += count
                progress.detail(f'{total} so far')
    print(f'{total} deleted')
