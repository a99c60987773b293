"""Add and parse arguments that several commands take; refuse wrong ones."""

import argparse
import difflib
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from nova_ext.lab.configuration import environment
from nova_ext.lab.state import paths

_UNKNOWN = 'unrecognized arguments: '


def refuse_in_one_line(program: str = '') -> None:
    """Have every parser of this process refuse a wrong call in one line.

    Cliff, oslo.config and Nova make parsers of their own, and argparse would
    print the usage of each.

    :param program: name of the program; empty: as the parser has it.
    """
    def error(self: argparse.ArgumentParser, message: str) -> NoReturn:
        name = program or self.prog
        line = ' '.join(_describe(self, message).split())
        self.exit(2, f'{name}: {line}; see {name} --help\n')

    argparse.ArgumentParser.error = error  # type: ignore[method-assign]


def _describe(parser: argparse.ArgumentParser, message: str) -> str:
    """Say what is right where an argument is unknown."""
    if not message.startswith(_UNKNOWN):
        return message
    words = message.removeprefix(_UNKNOWN)
    option, _, _ = (words.split() or [''])[0].partition('=')
    close = difflib.get_close_matches(option, parser._option_string_actions, 1)
    if close:
        return f'{message}; did you mean {close[0]}?'
    usage = argparse.HelpFormatter(parser.prog)
    right = ' '.join([parser.prog, '[OPTIONS]', *(
        usage._format_args(action, action.dest)
        for action in parser._get_positional_actions()
    )])
    return f'{message}; write {right}'


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """Add the options that name nova-scheduler's configuration."""
    parser.add_argument(
        '--config-file', metavar='FILE', action='append', default=[],
        help='configuration file that nova-scheduler is started with; may be '
             'repeated; default: the files that it finds here',
    )
    parser.add_argument(
        '--config-dir', metavar='DIR', action='append', default=[],
        help='folder of configuration files that it is started with; may be '
             'repeated; default: the folders that it finds here',
    )


def find_configuration(
    parsed_args: argparse.Namespace
) -> tuple[list[str], list[str]]:
    """Return the files and folders that the options name.

    :returns: in a lab, without the options, its nova.conf.
    :raises LabError: where the lab is no more.
    """
    files, folders = parsed_args.config_file, parsed_args.config_dir
    lab = os.environ.get(environment.NAME)
    if lab and not files and not folders:
        files = [str(paths.find(lab).configuration('nova') / 'nova.conf')]
    return files, folders


def add_record(parser: argparse._ActionsContainer) -> None:
    """Add the option that names a decision record."""
    parser.add_argument(
        '--record', metavar='FILE', type=Path,
        help='the decision record; default: [nova_ext_record] file of '
             'nova-scheduler\'s configuration',
    )


def parse_count(text: str) -> int:
    """Parse a whole number, 0 or more.

    :raises ArgumentTypeError: for anything else.
    """
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(
            f'{text}: give a whole number, 0 or more'
        )
    return int(text)


def make_count_parser(most: int) -> Callable[[str], int]:
    """Return a function that parses a whole number from 0 to ``most``."""
    def parse(text: str) -> int:
        number = parse_count(text)
        if number > most:
            raise argparse.ArgumentTypeError(f'{text}: give at most {most}')
        return number

    return parse


def parse_seconds(text: str) -> float:
    """Parse a number of seconds, 0 or more.

    :raises ArgumentTypeError: for anything else.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f'{text}: give seconds, 0 or more')
    return value
