"""Run nova-ext-zone-poller: ask child zones what they are."""

import argparse
import threading
from collections.abc import Sequence

from nova_ext.cmd import arguments, service
from nova_ext.conf import database
from nova_ext.record import location
from nova_ext.zones.conf import zones


def main(argv: Sequence[str] | None = None) -> int:
    """Poll until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    parser = argparse.ArgumentParser(
        'nova-ext-zone-poller', description='Ask the child zones in the '
        'database that [nova_ext_database] connection names what they are, '
        'and note which are active. Several may run.',
    )
    arguments.add_configuration(parser)
    options = parser.parse_args(argv)
    service.require_extra('api', 'sqlalchemy', 'oslo_db', 'jsonschema')
    from nova_ext.database.database import SERVICE_S, open_database

    def serve(end: threading.Event) -> None:
        conf = location.load_configuration(
            options.config_file, options.config_dir, (database, zones),
            alone=True,
        )
        opened = open_database(conf, SERVICE_S)
        # It takes long to import.
        from nova_ext.zones.poller import Poller

        Poller(opened, conf.nova_ext_zones).run(end)

    return service.run('nova-ext-zone-poller', serve)
