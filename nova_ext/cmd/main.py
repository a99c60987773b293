"""Run nova-ext, the command of operators and developers.

Commands are the entry points of group ``nova_ext.cli``; ``lab_up`` is typed
``nova-ext lab up``. A command is imported when it is typed, or listed, and
imports what is slow when it runs.
"""

import argparse
import contextlib
import logging
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from cliff import app, commandmanager

from nova_ext.cmd import arguments
from nova_ext.core.base import entry_points, errors

DISTRIBUTION = 'nova-ext'
NAMESPACE = 'nova_ext.cli'

#: Columns of a table whose reader's terminal is not known.
WIDTH = 100


class Commands(commandmanager.CommandManager):
    """Find the commands without importing them."""

    def load_commands(self, namespace: str) -> None:
        """Add the entry points of a group.

        Cliff imports every one of them here.
        """
        self.group_list.append(namespace)
        for point in entry_points.list_points(namespace):
            name = point.name.replace('_', ' ')
            self.commands[name] = _Unloaded(point)  # type: ignore[assignment]


class _Unloaded:
    """Import a command when it is typed, or fail with one line."""

    def __init__(self, point: metadata.EntryPoint) -> None:
        self.name = point.name
        self.value = point.value
        self._point = point

    def __repr__(self) -> str:
        return f'nova-ext {self.name.replace("_", " ")} ({self.value})'

    def load(self) -> Any:
        """Import the command's class.

        :raises NovaExtError: for one that can't be imported.
        """
        try:
            return self._point.load()
        except Exception as error:
            words = self.name.split('_')
            extra = (
                _suggest_extra(words[0]) if isinstance(error, ImportError)
                else ''
            )
            raise errors.NovaExtError(
                f'nova-ext {" ".join(words)} does not load: '
                f'{type(error).__name__}: {error}{extra}'
            ) from error


class NovaExt(app.App):
    """Run the commands of ``nova-ext``."""

    NAME = DISTRIBUTION

    def __init__(self) -> None:
        super().__init__(
            description='Tools for Nova\'s scheduler and what decides in it.',
            version=metadata.version(DISTRIBUTION),
            command_manager=Commands(NAMESPACE),
            # "nova-ext COMMAND --help" is that command's help.
            deferred_help=True,
        )

    def build_option_parser(
        self, description: str | None, version: str | None,
        argparse_kwargs: dict[str, Any] | None = None,
    ) -> argparse.ArgumentParser:
        """Add the options that come before any command.

        Abbreviations are off: ``--log`` of a command would be taken for
        ``--log-file``.
        """
        return super().build_option_parser(
            description, version,
            {'prog': DISTRIBUTION, 'allow_abbrev': False,
             **(argparse_kwargs or {})},
        )

    def configure_logging(self) -> None:
        """Send warnings to stderr, each on one line, more with -v."""
        super().configure_logging()
        console = logging.getLogger().handlers[-1]
        console.setFormatter(_OneLine())
        quiet = (logging.WARNING, logging.WARNING, logging.INFO)
        level = self.options.verbose_level
        console.setLevel(
            quiet[level] if level < len(quiet) else logging.DEBUG
        )

    def prepare_to_run_command(self, cmd: Any) -> None:
        """Limit tables to a width where no terminal says how wide it is."""
        if 'CLIFF_MAX_TERM_WIDTH' in os.environ or _has_width(sys.stdout):
            return
        get_parser = cmd.get_parser

        def get_limited_parser(prog_name: str) -> argparse.ArgumentParser:
            parser: argparse.ArgumentParser = get_parser(prog_name)
            parser.set_defaults(max_width=WIDTH)
            return parser

        cmd.get_parser = get_limited_parser

    def get_fuzzy_matches(self, cmd: str) -> list[str]:
        """Refuse a word that begins no command, and say which do."""
        names = [name for name, _ in self.command_manager]
        following = [
            name.removeprefix(f'{cmd} ') for name in names
            if name.startswith(f'{cmd} ')
        ]
        self.parser.error(
            f'{cmd} is followed by one of: {", ".join(following)}' if following
            else f'there is no command {cmd}; '
            f'{errors.suggest_names(cmd, names)}'
        )

    def initialize_app(self, argv: list[str]) -> None:
        """Show the help where no command is typed; there is no prompt."""
        if not argv:
            self.options.deferred_help = True


class _OneLine(logging.Formatter):
    """Format a message as one line, an exception too."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, after a traceback where --debug is given."""
        line = f'{DISTRIBUTION}: {_get_message(record)}'
        if record.exc_info:
            return f'{self.formatException(record.exc_info)}\n{line}'
        return line


def _get_message(record: logging.LogRecord) -> str:
    error: object = record.msg
    if not isinstance(error, Exception):
        return record.getMessage()
    message = ' '.join(str(error).split())
    if isinstance(error, errors.NovaExtError):
        return message
    return f'{type(error).__name__}: {message} (--debug shows where)'


def _suggest_extra(word: str) -> str:
    """Say what to install for a command that an extra is named after."""
    extras = metadata.metadata(DISTRIBUTION).get_all('Provides-Extra') or ()
    if word not in extras:
        return ''
    return f'; pip install \'{DISTRIBUTION}[{word}]\' brings what it needs'


def _has_width(stream: Any) -> bool:
    """Say whether a stream is a terminal that knows its width."""
    try:
        return os.get_terminal_size(stream.fileno()).columns > 0
    except (AttributeError, OSError, ValueError):
        return False


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    :param argv: the words after the program's name.
    :returns: 0, or another exit status with one line on stderr.
    """
    if not sys.warnoptions:
        # Warnings that libraries address to their authors.
        warnings.simplefilter('ignore')
    arguments.refuse_in_one_line()
    program = NovaExt()
    try:
        status = program.run(list(sys.argv[1:] if argv is None else argv))
        if sys.stdout is not None:  # closed by the caller
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        status = 128 + signal.SIGPIPE
    except errors.NovaExtError as error:
        # Raised while a command is looked up, where cliff catches nothing.
        program.LOG.error(error, exc_info=program.options.debug)
        return 1
    if status == 128 + signal.SIGPIPE:
        _discard_stdout()
    return status


def _discard_stdout() -> None:
    """Keep Python from reporting at exit that the pipe is closed."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
