"""nova-ext-shipper: the record of this host into the database."""

import argparse
import logging
import socket
import sys
from collections.abc import Sequence

from nova_ext.cmd import arguments, service
from nova_ext.core.base.errors import NovaExtError
from nova_ext.record import location


def main(argv: Sequence[str] | None = None) -> int:
    """Ship until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    parser = argparse.ArgumentParser(
        'nova-ext-shipper', description='Put what nova-scheduler decides on '
        'this host into the database that [nova_ext_database] connection '
        'names, through outages of it.',
    )
    arguments.add_record(parser)
    parser.add_argument(
        '--host', default=socket.gethostname(),
        help='what the record\'s place is noted by (default: %(default)s)',
    )
    arguments.add_configuration(parser)
    options = parser.parse_args(argv)
    service.need('sqlalchemy', 'alembic', 'oslo_db', extra='store')
    from nova_ext.decision_database import configured, shipper

    logging.basicConfig(format='%(levelname)s %(message)s')
    configuration = options.config_file, options.config_dir
    try:
        database = configured.database(*configuration)
        record = options.record or location.path(*configuration)
        shipper.run(record, options.host, database, service.told_to_end())
    except NovaExtError as error:
        sys.exit(f'nova-ext-shipper: {error}')
    return 0
