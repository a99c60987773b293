"""nova-ext lab logs."""

import argparse
import contextlib

from nova_ext.lab.cli import base


class Logs(base.LabCommand):
    """Print the log of a service."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        base.add_name(parser)
        parser.add_argument(
            'service', metavar='<service>',
            help='keystone, placement, glance, network, nova; or scheduler, '
            'api, conductor or compute: their lines in the log of nova',
        )
        parser.add_argument(
            '--follow', '-f', action='store_true',
            help='go on with lines as they are written, until Ctrl-C',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Print the lines."""
        from nova_ext.lab import logs, place, restart

        there = place.existing(parsed_args.name)
        process = restart.process_of(parsed_args.service)
        lines = logs.lines(there.log(process), parsed_args.follow)
        if process != parsed_args.service:
            lines = logs.of_part(lines, parsed_args.service)
        with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
            for line in lines:
                self.app.stdout.write(line)
                self.app.stdout.flush()
