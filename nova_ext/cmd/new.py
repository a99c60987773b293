"""Run nova-ext new: write a package with a plugin."""

import argparse
from pathlib import Path

from cliff import command

from nova_ext.scaffold.names import KINDS


class New(command.Command):
    """Write a package with a filter, weigher, cost or driver of your own.

    The package can be installed and tested at once. It holds an example,
    which you replace. It is written into the current folder.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'kind', choices=sorted(KINDS),
            metavar='filter|weigher|cost|driver', help='what to write',
        )
        parser.add_argument(
            'name', metavar='NAME',
            help='what it does: gpu_only, gpu-only, GpuOnly and GpuOnlyFilter '
                 'are all written as GpuOnlyFilter in gpu-only/gpu_only.py',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.scaffold import names, package

        derived = names.derive(KINDS[parsed_args.kind], parsed_args.name)
        folder = package.write(derived, Path()).name
        trial = f'  nova-ext lab try {folder}/{derived.module}.py\n'
        self.app.stdout.write(
            f'{folder}/{derived.module}.py holds {derived.class_name}, an '
            f'example to replace. Next:\n\n'
            f'{trial if derived.kind.in_lab else ""}'
            f"  pip install -e './{folder}[test]'\n"
            f'  cd {folder} && python -m unittest\n\n'
            f'{folder}/README.rst says how to use and publish it.\n'
        )
