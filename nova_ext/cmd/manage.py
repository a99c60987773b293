"""Run nova-ext-manage: set up and purge the decision database."""

import argparse
import datetime
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nova_ext.cmd import arguments, service
from nova_ext.core.base.errors import NovaExtError

if TYPE_CHECKING:
    from nova_ext.decision_database.database import Database


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``nova-ext-manage db sync``, ``db version`` or ``db purge``.

    :returns: the exit status.
    """
    options = _parser().parse_args(argv)
    service.require_extra('store', 'sqlalchemy', 'alembic', 'oslo_db')
    from nova_ext.decision_database.database import find_database

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
        'db', help='the database of decisions'
    ).add_subparsers(required=True, metavar='sync|version|purge')
    sync = db.add_parser(
        'sync', help='upgrade the schema to the version of this release'
    )
    sync.set_defaults(run=_sync)
    version = db.add_parser(
        'version', help='print the schema\'s version, and the needed one'
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
    print(f'schema {database.sync()}')


def _version(database: 'Database', options: argparse.Namespace) -> None:
    from nova_ext.decision_database.database import get_newest_version

    current, newest = database.version() or 'none', get_newest_version()
    print(f'schema {current}, needed {newest}')


def _purge(database: 'Database', options: argparse.Namespace) -> None:
    from nova_ext.core.base.progress import Progress
    from nova_ext.decision_database import builds, decisions, held_offers
    from nova_ext.zones import states

    now = datetime.datetime.now(datetime.UTC)
    before = (now - datetime.timedelta(days=options.days)).isoformat()
    over = states.BUILD_FAILED, states.DELETED
    total, progress = 0, Progress()
    with progress.step('throwing away'):
        while True:
            with database.writing() as session:
                count = decisions.purge(session, before) + builds.purge(
                    session, before, over, states.ENDED
                )
                held_offers.purge(session, int(now.timestamp()))
            if not count:
                break
            total += count
            progress.detail(f'{total} so far')
    print(f'{total} thrown away')
