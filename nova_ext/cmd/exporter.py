"""Run nova-ext-exporter: serve the record of this host as metrics."""

import argparse
import threading
from collections.abc import Sequence

from nova_ext.cmd import arguments, service
from nova_ext.record import location


def main(argv: Sequence[str] | None = None) -> int:
    """Serve metrics until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    parser = argparse.ArgumentParser(
        'nova-ext-exporter', description='Serve what nova-scheduler decides '
        'on this host as metrics for Prometheus, counted from now on.',
    )
    arguments.add_record(parser)
    parser.add_argument(
        '--address', default='127.0.0.1',
        help='where to listen (default: %(default)s); whoever can connect '
             'can read the metrics, in which no server or host is named',
    )
    parser.add_argument(
        '--port', type=arguments.make_count_parser(65535), default=9894,
        help='where to listen; 0: any free port (default: %(default)s)',
    )
    arguments.add_configuration(parser)
    options = parser.parse_args(argv)
    service.require_extra('metrics', 'prometheus_client')
    from nova_ext.metrics import exporter

    def serve(end: threading.Event) -> None:
        record = options.record or location.find_record(
            options.config_file, options.config_dir
        )
        exporter.serve(
            record, options.address, options.port,
            lambda port: print(
                f'metrics of {record} at '
                f'http://{options.address}:{port}/metrics', flush=True,
            ), end,
        )

    return service.run('nova-ext-exporter', serve)
