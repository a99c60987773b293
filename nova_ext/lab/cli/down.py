"""Provide ``nova-ext lab down`` and ``delete``."""

import argparse
import contextlib
from typing import Any

from nova_ext.lab.cli import base


class Down(base.NamedCommand):
    """Stop a lab, and its child zones; servers and settings are kept."""

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.lab.lifecycle import zones

        with contextlib.ExitStack() as stack:
            # One that is damaged does not keep the others running.
            for lab in reversed(zones.list_labs(parsed_args.name)):
                stack.callback(self._down, lab)

    def _down(self, lab: Any) -> None:
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import stop

        ended = stop.down(lab, Progress())
        result = 'is stopped' if ended else 'was stopped already'
        self.app.stdout.write(f'Lab {lab.name} {result}.\n')


class Delete(base.NamedCommand):
    """Stop a lab, and its child zones, and remove everything they hold."""

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import stop, zones

        labs = zones.list_labs(parsed_args.name)
        zones.require_whole(labs[0].name)
        for lab in labs:
            stop.delete(lab, Progress())
            self.app.stdout.write(f'Lab {lab.name} is deleted.\n')
