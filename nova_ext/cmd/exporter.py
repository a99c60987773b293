"""Run nova-ext-exporter: serve metrics of this host's record, or the cloud."""

import argparse
import threading
from collections.abc import Sequence
from typing import Any

from nova_ext.cmd import arguments, service
from nova_ext.record import location


def main(argv: Sequence[str] | None = None) -> int:
    """Serve metrics until SIGTERM or SIGINT.

    :returns: the exit status.
    """
    arguments.refuse_in_one_line()
    parser = _make_parser()
    options = parser.parse_args(argv)
    if options.os_cloud is None and (
        options.no_record or options.flavors or options.rack_key
    ):
        parser.error('--no-record, --flavors and --rack-key take --os-cloud')
    service.require_extra('metrics', 'prometheus_client')

    def serve(end: threading.Event) -> None:
        from nova_ext.metrics import exporter

        asker = _make_asker(options, end) if options.os_cloud else None
        record = None if options.no_record else (
            options.record or location.find_record(
                options.config_file, options.config_dir
            )
        )
        subject = ' and '.join([
            *([str(record)] if record else []),
            *([f'cloud {options.os_cloud}'] if asker else []),
        ])

        def begin(port: int) -> None:
            print(
                f'metrics of {subject} at '
                f'http://{options.address}:{port}/metrics', flush=True,
            )
            if asker:
                asker.start()

        exporter.serve(
            record, asker and asker.answers, options.address, options.port,
            begin, end,
        )

    return service.run('nova-ext-exporter', serve)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        'nova-ext-exporter', description='Serve metrics for Prometheus: what '
        'nova-scheduler decides on this host, counted from now on; with '
        '--os-cloud also what fits into the cloud, and what the loss of a '
        'host would cost.',
    )
    what = parser.add_mutually_exclusive_group()
    arguments.add_record(what)
    what.add_argument(
        '--no-record', action='store_true',
        help='follow no decision record; takes --os-cloud',
    )
    parser.add_argument(
        '--address', default='127.0.0.1',
        help='where to listen (default: %(default)s); whoever can connect '
             'can read the metrics, in which no server or host is named; '
             'with --os-cloud they name flavors, zones and aggregates',
    )
    parser.add_argument(
        '--port', type=arguments.make_count_parser(65535), default=9894,
        help='where to listen; 0: any free port (default: %(default)s)',
    )
    arguments.add_configuration(parser)
    asking = parser.add_argument_group('what fits, and what losses cost')
    asking.add_argument(
        '--os-cloud', metavar='NAME',
        help='cloud of clouds.yaml to ask, with the credentials of an '
             'operator that it has; "envvars": the cloud of the variables '
             'OS_AUTH_URL and so on; run one such exporter for each cloud',
    )
    asking.add_argument(
        '--flavors', metavar='NAME', nargs='+', default=[],
        help='flavors to ask about (default: the first 50 public ones by '
             'name)',
    )
    asking.add_argument(
        '--interval', metavar='SECONDS', type=arguments.parse_seconds,
        default=300.0,
        help='time between two questions about capacity (default: '
             '%(default)g); costs a scheduler as much as a boot for each '
             'flavor, and placement one request for each host',
    )
    asking.add_argument(
        '--loss-interval', metavar='SECONDS', type=arguments.parse_seconds,
        default=3600.0,
        help='time between two questions about the loss of each host, and '
             'about the empty cloud (default: %(default)g); 0: they are not '
             'asked; costs a scheduler as much as a boot for each server of '
             'the cloud, and up to three times that where servers find no '
             'host',
    )
    asking.add_argument(
        '--rack-key', metavar='KEY', default='',
        help='key of aggregates\' metadata whose value names a rack; ask '
             'about the loss of each rack, too, which costs the same again',
    )
    return parser


def _make_asker(options: argparse.Namespace, end: threading.Event) -> Any:
    # It imports openstacksdk, which takes a second.
    from nova_ext.metrics import asker

    return asker.Asker(asker.AskingPlan(
        options.os_cloud, options.interval, options.loss_interval,
        options.flavors, options.rack_key,
    ), end)
