"""Read from a command line what a replay decides with."""

import argparse
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.replay.share import Setup

_KEY = '<aggregate>:<key>'


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that change something."""
    group = parser.add_argument_group('what is changed')
    group.add_argument(
        '--config-file', metavar='FILE', action='append', default=[],
        help='configuration file to decide with; may be repeated, later ones '
             'win; default: the journal\'s own configuration',
    )
    group.add_argument(
        '--config-dir', metavar='DIR', action='append', default=[],
        help='folder of configuration files to decide with; may be repeated',
    )
    group.add_argument(
        '--set', metavar='<group.option=value>', action='append', default=[],
        dest='options', type=_parse_option,
        help='set an option over the configuration; repeat for several, or '
             'for several values of one',
    )
    group.add_argument(
        '--against', metavar='FILE',
        help='a second configuration file, shown beside the first',
    )
    group.add_argument(
        '--aggregate-set', metavar=f'{_KEY}=<value>', action='append',
        default=[], type=_parse_property,
        help='decide as if an aggregate, by name or UUID, had this metadata; '
             'may be repeated',
    )
    group.add_argument(
        '--aggregate-unset', metavar=_KEY, action='append', default=[],
        type=_parse_key,
        help='decide as if an aggregate did not have this metadata; may be '
             'repeated',
    )


def build_setups(parsed_args: argparse.Namespace) -> dict[str, Setup]:
    """Return what is decided with, by the name of its column.

    :raises NovaExtError: where nothing is changed, and nothing verified.
    """
    changes = (*parsed_args.aggregate_set, *parsed_args.aggregate_unset)
    files, folders = parsed_args.config_file, parsed_args.config_dir
    options = parsed_args.options
    is_changed = bool(files or folders or changes or options)
    for folder in parsed_args.plugins:
        if not Path(folder).is_dir():
            raise NovaExtError(f'--plugins {folder}: there is no such folder')
    if parsed_args.verify:
        if is_changed or parsed_args.against:
            raise NovaExtError(
                '--verify changes nothing: leave out --config-file, '
                '--config-dir, --set, --against, --aggregate-set and '
                '--aggregate-unset'
            )
        return {}
    if not is_changed:
        raise NovaExtError(
            'say what is changed, with --config-file, --config-dir, '
            '--set, --aggregate-set or --aggregate-unset; or give --verify'
        )
    _check_paths(parsed_args)
    name = ' '.join([
        *(Path(path).name for path in (*folders, *files)),
        *(f'{option}={value}' for _, option, value in options),
    ])
    plugins = parsed_args.plugins
    setups = {
        name or 'changed aggregates': Setup(
            files, folders, plugins, changes, tuple(options)
        )
    }
    if parsed_args.against:
        other = Path(parsed_args.against).name
        if other in setups:
            other = parsed_args.against
        setups[other] = Setup([parsed_args.against], (), plugins)
    return setups


def _check_paths(parsed_args: argparse.Namespace) -> None:
    """Check files and folders of configurations.

    :raises NovaExtError: one is not, or can't be read.
    """
    files, against = parsed_args.config_file, parsed_args.against
    for path in (*files, *filter(None, [against])):
        if Path(path).is_dir():
            raise NovaExtError(f'{path} is a folder: name a file of it')
    for path in (*files, *parsed_args.config_dir, *filter(None, [against])):
        if not Path(path).exists():
            raise NovaExtError(f'{path} is not there')
    for path in (*files, *filter(None, [against])):
        try:
            Path(path).read_text(encoding='utf-8')
        except (OSError, UnicodeDecodeError) as error:
            raise NovaExtError(
                f'{path} can\'t be read: '
                f'{getattr(error, "strerror", None) or error}'
            ) from None
    if [against] == files and not (
        parsed_args.config_dir or parsed_args.options
        or parsed_args.aggregate_set or parsed_args.aggregate_unset
    ):
        raise NovaExtError(f'--against {against} is the same configuration')


def _parse_key(text: str) -> tuple[str, str, None]:
    aggregate, colon, key = text.partition(':')
    if not (aggregate and colon and key):
        raise argparse.ArgumentTypeError(f'{text}: give {_KEY}')
    return aggregate, key, None


def _parse_option(text: str) -> tuple[str, str, str]:
    name, sign, value = text.partition('=')
    group, dot, option = name.partition('.')
    if not (sign and dot and group and option):
        raise argparse.ArgumentTypeError(f'{text}: give group.option=value')
    return group, option, value


def _parse_property(text: str) -> tuple[str, str, str]:
    left, sign, value = text.partition('=')
    if not sign:
        raise argparse.ArgumentTypeError(f'{text}: give {_KEY}=<value>')
    aggregate, key, _ = _parse_key(left)
    return aggregate, key, value
