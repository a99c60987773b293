"""Provide ``nova-ext lab down`` and ``delete``."""

import argparse

from nova_ext.lab.cli import base


class Down(base.NamedCommand):
    """Stop a lab; its servers and settings are kept."""

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Stop every process of the lab."""
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import stop
        from nova_ext.lab.state import paths

        lab = paths.find(parsed_args.name)
        ended = stop.down(lab, Progress())
        result = 'is stopped' if ended else 'was stopped already'
        self.app.stdout.write(f'Lab {lab.name} {result}.\n')


class Delete(base.NamedCommand):
    """Stop a lab and remove everything it holds."""

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Stop the lab and remove its folder."""
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import stop
        from nova_ext.lab.state import paths

        lab = paths.find(parsed_args.name)
        stop.delete(lab, Progress())
        self.app.stdout.write(f'Lab {lab.name} is deleted.\n')
