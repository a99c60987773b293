"""Provide ``nova-ext lab logs``."""

import argparse
import contextlib

from nova_ext.lab.cli import base


class Logs(base.NamedCommand):
    """Print the log of a service."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        base.add_service(parser)
        parser.add_argument(
            '--follow', '-f', action='store_true',
            help='go on with lines as they are written, until Ctrl-C',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.lab.lifecycle import logs
        from nova_ext.lab.services import layout
        from nova_ext.lab.state import lab_state, paths

        lab = paths.find(parsed_args.name)
        word = parsed_args.service
        service = layout.find_one(lab_state.load(lab), word).name
        lines = logs.read_lines(lab.log(service), parsed_args.follow)
        if service == layout.NOVA and word != layout.NOVA:
            lines = logs.filter_lines(lines, layout.LOGGERS[word])
        with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
            for line in lines:
                self.app.stdout.write(line)
                self.app.stdout.flush()
