"""Provide ``nova-ext lab try``."""

import argparse
from pathlib import Path
from typing import Any

from nova_ext.lab.cli import base

#: Columns that the table fits.
WIDTH = 100


class Try(base.LabCommand):
    """Load a plain file with a filter, weigher or driver, and watch it.

    Simulate a boot with it and show each host's verdict, again on every
    save, until Ctrl-C. A breakpoint() in the file stops here. The lab stays
    as it is.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
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
        from nova_ext.core.base.errors import NovaExtError
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import status
        from nova_ext.lab.trial import verdicts

        path = parsed_args.file.absolute()
        lab = status.find_lab(parsed_args.name)
        progress = Progress()
        judge = verdicts.make_judge(lab, _parse_hints(parsed_args.hint))
        if parsed_args.once:
            self._show(judge, path)
            return
        for _ in verdicts.watch(path):
            try:
                self._show(judge, path)
            except NovaExtError as error:
                progress.say(str(error))
            progress.say(f'Watching {path}; Ctrl-C ends.')

    def _show(self, judge: Any, path: Path) -> None:
        import time

        from cliff.formatters import table

        from nova_ext.lab.trial import verdicts

        begun = time.monotonic()
        verdict = judge(path)
        columns, rows = verdicts.list_verdicts(
            verdict.decision, verdict.names.get('weigher', [])
        )
        names = ', '.join(
            name for kind in verdict.names.values() for name in kind
        )
        out = self.app.stdout
        out.write(f'\n{names}: {verdict.outcome}\n')
        table.TableFormatter().emit_list(
            columns, rows, out,
            argparse.Namespace(
                print_empty=True, max_width=WIDTH, fit_width=False,
            ),
        )
        out.write(
            f'\n{time.monotonic() - begun:.1f} s from file to verdict\n'
        )
        out.flush()


def _parse_hints(words: list[str]) -> dict[str, str]:
    from nova_ext.lab.state.errors import LabError

    hints = {}
    for word in words:
        name, equals, value = word.partition('=')
        if not (name and equals):
            raise LabError(f'--hint {word}: write KEY=VALUE')
        hints[name] = value
    return hints
