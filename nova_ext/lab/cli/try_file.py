"""nova-ext lab try."""

import argparse
from pathlib import Path
from typing import Any

from nova_ext.lab.cli import base


class Try(base.LabCommand):
    """Load a plain file with a filter, weigher or driver, and watch it.

    Boots a server, shows each host's verdict, and does both again on every
    save; Ctrl-C ends it and gives the lab back as it was.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        base.add_name(parser)
        parser.add_argument(
            '--hint', action='append', default=[], metavar='<key=value>',
            help='a scheduler hint of the server; repeat for several',
        )
        parser.add_argument(
            '--once', action='store_true',
            help='do it once; exit status 1 if the file can\'t be used',
        )
        parser.add_argument('file', type=Path, metavar='<file>')
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Try the file until Ctrl-C."""
        from nova_ext.core.errors import NovaExtError
        from nova_ext.core.progress import Progress
        from nova_ext.lab import changed, running, trying

        path = parsed_args.file.absolute()
        there = running.required(parsed_args.name)
        progress = Progress()
        options = (trying.FILES, trying.FILTERS, trying.DRIVER)
        with changed.restored(there, options, progress):
            if parsed_args.once:
                self._once(there, path, parsed_args.hint, progress)
                return
            for _ in _first_and(trying.saved(path)):
                try:
                    self._once(there, path, parsed_args.hint, progress)
                except NovaExtError as error:
                    progress.say(str(error))
                progress.say(f'Watching {path}; Ctrl-C ends.')

    def _once(
        self, there: Any, path: Path, hints: list[str], progress: Any
    ) -> None:
        import time

        from cliff.formatters import table

        from nova_ext.core import plain_file
        from nova_ext.lab import states, trying

        begun = time.monotonic()
        found = {
            kind: [cls.__name__ for cls in classes]
            for kind, classes in plain_file.extensions(path).items()
        }
        trying.load(
            there, trying.settings(path, found, states.load(there)), progress
        )
        with progress.step('booting a server'):
            status, made = trying.boot(there, _hints(hints))
        columns, rows = trying.verdicts(made, found.get('weigher', []))
        names = ', '.join(name for kind in found.values() for name in kind)
        out = self.app.stdout
        out.write(f'\n{names}: the server is {status}\n')
        table.TableFormatter().emit_list(
            columns, rows, out,
            argparse.Namespace(
                print_empty=True, max_width=0, fit_width=False,
            ),
        )
        out.write(
            f'\n{time.monotonic() - begun:.1f} s from file to verdict\n'
        )
        out.flush()


def _first_and(saves: Any) -> Any:
    """Once at the beginning, then for every save."""
    yield None
    yield from saves


def _hints(words: list[str]) -> dict[str, str]:
    from nova_ext.lab.errors import LabError

    hints = {}
    for word in words:
        name, equals, value = word.partition('=')
        if not (name and equals):
            raise LabError(f'--hint {word}: write KEY=VALUE')
        hints[name] = value
    return hints
