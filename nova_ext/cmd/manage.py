"""nova-ext-manage: the database of decisions."""

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
    service.need('sqlalchemy', 'alembic', 'oslo_db', extra='store')
    from nova_ext.decision_database import configured

    try:
        options.run(configured.database(
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
        'sync', help='bring the schema to what this release needs'
    )
    sync.set_defaults(run=_sync)
    version = db.add_parser(
        'version', help='print the schema\'s version, and the needed one'
    )
    version.set_defaults(run=_version)
    purge = db.add_parser('purge', help='throw old decisions away')
    purge.add_argument(
        '--days', type=arguments.count_to(36500), required=True,
        help='keep the decisions of so many days',
    )
    purge.set_defaults(run=_purge)
    return parser


def _sync(database: 'Database', options: argparse.Namespace) -> None:
    print(f'schema {database.sync()}')


def _version(database: 'Database', options: argparse.Namespace) -> None:
    from nova_ext.decision_database.database import newest

    print(f'schema {database.version() or "none"}, needed {newest()}')


def _purge(database: 'Database', options: argparse.Namespace) -> None:
    from nova_ext.core.base.progress import Progress
    from nova_ext.decision_database import decisions

    now = datetime.datetime.now(datetime.UTC)
    before = (now - datetime.timedelta(days=options.days)).isoformat()
    total, progress = 0, Progress()
    with progress.step('throwing away'):
        while True:
            with database.writing() as session:
                count = decisions.purge(session, before)
            if not count:
                break
            total += count
            progress.detail(f'{total} so far')
    print(f'{total} thrown away')
