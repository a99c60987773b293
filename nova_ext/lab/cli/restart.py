"""nova-ext lab restart."""

import argparse

from nova_ext.lab.cli import base


class Restart(base.LabCommand):
    """Restart a service after it has finished what it has in hand."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        base.add_name(parser)
        parser.add_argument(
            'service', metavar='<service>',
            help='keystone, placement, glance, network or nova; or api, '
            'compute, conductor or scheduler, which share the process nova',
        )
        parser.add_argument(
            '--foreground', action='store_true',
            help='run nova at this terminal, so that a breakpoint() in a '
            'filter stops here; Ctrl-C sends it back to the background',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Restart the process that the service runs in."""
        from nova_ext.core.progress import Progress
        from nova_ext.lab import place, restart
        from nova_ext.lab.errors import LabError

        there = place.existing(parsed_args.name)
        process = restart.process_of(parsed_args.service)
        progress = Progress()
        if process != parsed_args.service:
            progress.say(
                f'without a message broker {", ".join(restart.PARTS)} share '
                'the process nova: all of it restarts'
            )
        if not parsed_args.foreground:
            restart.restart(there, process, progress)
            self.app.stdout.write(f'{process} has restarted.\n')
        elif process == 'nova':
            restart.foreground(there, progress)
        else:
            raise LabError(
                f'--foreground is for nova, {process} has no extensions'
            )
