"""Run nova-ext-shipper: put what this host records into the database."""

import argparse
import socket
import threading
from collections.abc import Sequence
from pathlib import Path

from nova_ext.cmd import arguments, service
from nova_ext.conf import journal
from nova_ext.record import location


def main(argv: Sequence[str] | None = None) -> int:
    """Ship until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    parser = argparse.ArgumentParser(
        'nova-ext-shipper', description='Put what nova-scheduler decides on '
        'this host, and what shadows say of its journal, into the database '
        'that [nova_ext_database] connection names, through outages of it.',
    )
    arguments.add_record(parser)
    parser.add_argument(
        '--host', default=socket.gethostname(),
        help='name under which the database keeps how far this record was '
             'shipped (default: %(default)s)',
    )
    arguments.add_configuration(parser)
    options = parser.parse_args(argv)
    service.require_extra('store', 'sqlalchemy', 'alembic', 'oslo_db')
    from nova_ext.database.database import SERVICE_S, find_database
    from nova_ext.decisions import shipper

    def serve(end: threading.Event) -> None:
        configuration = options.config_file, options.config_dir
        database = find_database(*configuration, SERVICE_S)
        record = options.record or location.find_record(*configuration)
        folder = location.load_configuration(
            *configuration, (journal,)
        ).nova_ext_journal.directory
        shipper.run(record, Path(folder), options.host, database, end)

    return service.run('nova-ext-shipper', serve)
