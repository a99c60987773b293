"""Arguments that several commands take alike."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """Add the options that name nova-scheduler's configuration."""
    parser.add_argument(
        '--config-file', metavar='FILE', action='append', default=[],
        help='configuration file of nova-scheduler; may be repeated; '
             'default: those that nova-scheduler would find here',
    )
    parser.add_argument(
        '--config-dir', metavar='DIR', action='append', default=[],
        help='folder of configuration files; may be repeated',
    )


def add_record(parser: argparse._ActionsContainer) -> None:
    """Add the option that names a decision record."""
    parser.add_argument(
        '--record', metavar='FILE', type=Path,
        help='the decision record; default: [nova_ext_record] file of '
             'nova-scheduler\'s configuration',
    )


def count(text: str) -> int:
    """A whole number, 0 or more.

    :raises ArgumentTypeError: for anything else.
    """
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(
            f'{text}: give a whole number, 0 or more'
        )
    return int(text)


def count_to(most: int) -> Callable[[str], int]:
    """The same, up to a greatest number."""
    def limited(text: str) -> int:
        number = count(text)
        if number > most:
            raise argparse.ArgumentTypeError(f'{text}: give at most {most}')
        return number

    return limited


def seconds(text: str) -> float:
    """A number of seconds, 0 or more.

    :raises ArgumentTypeError: for anything else.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f'{text}: give seconds, 0 or more')
    return value
