"""nova-ext-exporter: the record of this host as metrics for Prometheus."""

import argparse
import importlib.util
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from nova_ext.cmd import arguments
from nova_ext.core.errors import NovaExtError
from nova_ext.record import location


def main(argv: Sequence[str] | None = None) -> int:
    """Serve metrics until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    parser = argparse.ArgumentParser(
        'nova-ext-exporter', description='Serve what nova-scheduler decides '
        'on this host as metrics for Prometheus, counted from now on.',
    )
    parser.add_argument(
        '--record', metavar='FILE', type=Path,
        help='the decision record; default: [nova_ext_record] file of '
             'nova-scheduler\'s configuration',
    )
    parser.add_argument(
        '--address', default='127.0.0.1',
        help='where to listen (default: %(default)s); whoever can connect '
             'can read the metrics, in which no server or host is named',
    )
    parser.add_argument(
        '--port', type=arguments.count, default=9894,
        help='0: any that is free (default: %(default)s)',
    )
    arguments.add_configuration(parser)
    options = parser.parse_args(argv)
    if importlib.util.find_spec('prometheus_client') is None:
        sys.exit(
            'nova-ext-exporter: prometheus-client is not installed here: '
            'pip install nova-ext[metrics]'
        )
    from nova_ext.metrics import exporter

    logging.basicConfig(format='%(levelname)s %(message)s')
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    try:
        record = options.record or location.path(
            options.config_file, options.config_dir
        )
        exporter.serve(
            record, options.address, options.port,
            lambda port: print(
                f'metrics of {record} at '
                f'http://{options.address}:{port}/metrics', flush=True,
            ), end,
        )
    except NovaExtError as error:
        sys.exit(f'nova-ext-exporter: {error}')
    return 0
