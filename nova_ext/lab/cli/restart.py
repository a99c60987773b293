"""Provide ``nova-ext lab restart``."""

import argparse

from nova_ext.lab.cli import base


class Restart(base.NamedCommand):
    """Restart a service after it has finished its work."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        base.add_service(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import restart
        from nova_ext.lab.services import layout
        from nova_ext.lab.state import lab_state, paths

        lab = paths.find(parsed_args.name)
        word = parsed_args.service
        progress = Progress()
        services = layout.find(lab_state.load(lab), word)
        if [service.name for service in services] == [layout.NOVA] != [word]:
            progress.say(
                f'without a message broker {", ".join(layout.LOGGERS)} share '
                'the process nova: all of it restarts'
            )
        restart.restart(lab, word, progress)
        for service in services:
            self.app.stdout.write(f'{service.name} has restarted.\n')
