"""nova-ext doctor: what will hurt in a running cloud."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from cliff import lister

from nova_ext.cmd import cloud_options
from nova_ext.core.base.finding import exit_status
from nova_ext.doctor import formats
from nova_ext.doctor.examination import Examination

#: Formats that hold everything there is to say, and not the table alone.
WHOLE = ('json', 'yaml')


class Doctor(lister.Lister):
    """Look at a running cloud, read only, and say what will hurt.

    Reads the cloud that OS_CLOUD names, as an administrator. Exit status: 0
    for nothing but infos, 3 where the worst is a warning, 4 where it is an
    error.
    """

    _made = Examination()

    @property
    def formatter_namespace(self) -> str:
        """Cliff's formats, and text."""
        return 'nova_ext.doctor.formats'

    @property
    def formatter_default(self) -> str:
        """Text."""
        return 'text'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        cloud_options.add(parser)
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command.

        :returns: exit status by the worst finding.
        """
        return super().run(parsed_args) or exit_status(self._made.findings)

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Run every check."""
        from nova_ext.doctor import cloud, examination
        from nova_ext.doctor.checks import CHECKS

        facts = cloud_options.facts(
            parsed_args, cloud_options.configuration(parsed_args),
            cloud.connect(),
        )
        self._made = examination.examine(facts, CHECKS)
        return formats.COLUMNS, [
            formats.row(found) for found in self._made.findings
        ]

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """Write the findings, and what was not looked at."""
        made, out = self._made, self.app.stdout
        if parsed_args.formatter in WHOLE:
            whole = made.to_dict()
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(whole)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [whole[name] for name in names], out, parsed_args
            )
            return 0
        super().produce_output(parsed_args, column_names, list(data))
        if parsed_args.formatter == 'text':
            for line in _summary(made):
                print(line, file=out)
        return 0


def _summary(made: Examination) -> Iterable[str]:
    """The lines below the findings."""
    yield f'Nothing found: {", ".join(made.passed) or "by no check"}'
    # One refusal may keep several checks from running.
    for one in dict.fromkeys(one for _, one in made.unchecked):
        names = [name for name, other in made.unchecked if other == one]
        yield (
            f'Not checked ({", ".join(names)}): {one.what}; '
            f'needs {one.needs}'
        )
    asked = ', '.join(
        f'{count} of {service}'
        for service, count in sorted(made.requests.items())
    )
    yield f'{asked} requests in {made.seconds:.1f} s; nothing was changed'
