"""Options of commands that look at a running cloud."""

import argparse
from pathlib import Path

from nova_ext.cmd import arguments
from nova_ext.core.base.progress import Progress
from nova_ext.doctor.cloud import Cloud
from nova_ext.doctor.configuration import Configuration, find
from nova_ext.doctor.facts import Facts
from nova_ext.record import location


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what to look at."""
    arguments.add_configuration(parser)
    parser.add_argument(
        '--other-config', metavar='PATH', action='append', default=[],
        type=Path,
        help='the file of another scheduler, or the folder of its files, to '
             'compare; may be repeated',
    )
    parser.add_argument(
        '--record', metavar='FILE', action='append', default=[], type=Path,
        help='the decision record of a scheduler host; may be repeated; '
             'default: [nova_ext_record] file of the configuration',
    )
    parser.add_argument(
        '--sample', metavar='N', type=arguments.count, default=1000,
        help='look into the inventories and allocations of at most N '
             'providers, two requests each; 0: of all (default: 1000)',
    )
    parser.add_argument(
        '--watch', metavar='SECONDS', type=arguments.seconds, default=0.0,
        help='watch heartbeats for so long, which shows clocks that are '
             'behind; 15 is enough where report_interval is 10 (default: 0)',
    )


def configuration(parsed_args: argparse.Namespace) -> Configuration:
    """The files that the options name.

    :raises NovaExtError: for one that can't be read.
    """
    files, folders = parsed_args.config_file, parsed_args.config_dir
    return Configuration(
        find(files, folders), parsed_args.other_config,
        parsed_args.record or [location.path(files, folders)],
    )


def facts(
    parsed_args: argparse.Namespace, files: Configuration, opened: Cloud
) -> Facts:
    """What the checks ask, as the options say."""
    return Facts(
        opened, files, Progress(), parsed_args.sample, parsed_args.watch
    )
