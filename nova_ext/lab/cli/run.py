"""Provide ``nova-ext lab run`` and ``shell``."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from nova_ext.lab.cli import base


class Run(base.NamedCommand):
    """Run a command that finds the lab; its exit status is the command's."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'words', nargs=argparse.REMAINDER, metavar='-- <command>',
            help='for instance: -- openstack server list',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Become the command.

        :raises LabError: when there is no command of that name.
        """
        from nova_ext.lab.lifecycle import status
        from nova_ext.lab.state.errors import LabError

        words = parsed_args.words
        if words[:1] == ['--']:
            words = words[1:]
        if not words:
            raise LabError(
                'no command; for instance: '
                f'{base.format_command(parsed_args.name, "run")} -- openstack '
                'server list'
            )
        _become(words, status.find_lab(parsed_args.name))


class Shell(base.NamedCommand):
    """Start a shell that finds the lab."""

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.lab.configuration import environment
        from nova_ext.lab.lifecycle import status
        from nova_ext.lab.state import lab_state

        lab = status.find_lab(parsed_args.name)
        user = environment.build_for_command(lab)['OS_CLOUD']
        sys.stderr.write(
            f'This shell talks to lab {lab.name}, as {user}; "exit" leaves '
            'it. Type for instance:\n\n'
            f'  {base.format_boot(lab_state.load(lab))}\n'
            '  openstack server list --long\n'
            '  nova-ext explain t\n'
            '  OS_CLOUD=demo openstack image list\n\n'
        )
        _become([os.environ.get('SHELL') or '/bin/sh'], lab)


def _become(words: list[str], lab: Any) -> NoReturn:
    from nova_ext.lab.configuration import environment
    from nova_ext.lab.lifecycle import tempest
    from nova_ext.lab.state import lab_state
    from nova_ext.lab.state.errors import LabError

    variables = environment.build_for_command(lab)
    if Path(words[0]).name == 'tempest':
        # It reads ./etc/tempest.conf, and keeps its results in the folder.
        os.chdir(tempest.prepare(lab, lab_state.load(lab)))
    sys.stdout.flush()
    sys.stderr.flush()
    # execvpe searches this process's own PATH otherwise.
    os.environ['PATH'] = variables['PATH']
    try:
        os.execvpe(words[0], words, variables)  # noqa: S606  the user's own
    except OSError as error:
        raise LabError(f'{words[0]}: {error.strerror}') from error
