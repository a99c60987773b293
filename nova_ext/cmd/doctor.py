"""nova-ext doctor: what will hurt in a running cloud."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from cliff import lister

from nova_ext.cmd import cloud_options
from nova_ext.core.finding import exit_status
from nova_ext.doctor.examination import Examination

COLUMNS = ('Severity', 'Finding', 'What', 'Where')

#: Formats that hold everything there is to say, and not the table alone.
WHOLE = ('json', 'yaml')


class Doctor(lister.Lister):
    """Look at a running cloud, read only, and say what will hurt.

    Reads the cloud that OS_CLOUD names, as an administrator. The exit status
    is 0 where nothing was found but infos, 3 for warnings, 4 for errors.
    """

    _made = Examination()

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        cloud_options.add(parser)
        return parser

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
        return COLUMNS, [
            (str(found.severity), found.id, found.what, found.where)
            for found in self._made.findings
        ]

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; cliff's own status says only that it ran."""
        return super().run(parsed_args) or exit_status(self._made.findings)

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """The table, and why each finding matters; or the whole."""
        made, out = self._made, self.app.stdout
        if parsed_args.formatter in WHOLE:
            whole = made.to_dict()
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(whole)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [whole[name] for name in names], out, parsed_args
            )
        elif parsed_args.formatter != 'table':
            super().produce_output(parsed_args, column_names, list(data))
        else:
            if made.findings:
                super().produce_output(parsed_args, column_names, list(data))
            for line in notes(made):
                print(line, file=out)
        return 0


def notes(made: Examination) -> Iterable[str]:
    """What stands below the table."""
    for found in made.findings:
        yield f'\n{found.id}: {found.why}\n  Fix: {found.fix}'
    if made.findings:
        yield ''
    yield f'Nothing found: {", ".join(made.passed) or "by no check"}'
    for name, gap in made.gaps:
        yield f'Not looked at ({name}): {gap.what}; it needs {gap.needs}'
    asked = ', '.join(
        f'{count} of {service}'
        for service, count in sorted(made.requests.items())
    )
    yield f'{asked} requests in {made.seconds:.1f} s; nothing was changed'
