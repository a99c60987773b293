"""nova-ext new: a package for a filter, weigher or driver of one's own."""

import argparse
from pathlib import Path

from cliff import command

from nova_ext.scaffold.kinds import KINDS


class New(command.Command):
    """Write a package with a filter, weigher or driver of your own.

    It installs and its tests pass as it stands, with an example in it that
    you replace. It is written into the current folder, whole or not at all.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'kind', choices=sorted(KINDS), metavar='filter|weigher|driver',
            help='what to write',
        )
        parser.add_argument(
            'name', metavar='NAME',
            help='what it does: gpu_only, gpu-only, GpuOnly and GpuOnlyFilter '
                 'all make GpuOnlyFilter in gpu-only/gpu_only.py',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Write it, and say what to do next."""
        from nova_ext.scaffold import names, package

        made = names.derive(KINDS[parsed_args.kind], parsed_args.name)
        folder = package.write(made, Path()).name
        self.app.stdout.write(
            f'{folder}/{made.module}.py holds {made.class_name}, an example '
            f'to replace. Next:\n\n'
            f'  nova-ext lab try {folder}/{made.module}.py\n'
            f'  cd {folder} && python -m unittest\n'
            f'  pip install ./{folder}\n\n'
            f'{folder}/README.rst says how to use and publish it.\n'
        )
