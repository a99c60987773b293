"""nova-ext simulate: where a server would go, beside a stock scheduler."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from cliff import lister

from nova_ext.cmd import arguments, boot_request, server_name
from nova_ext.core import counterfactual
from nova_ext.core.errors import NovaExtError
from nova_ext.core.explain import explain
from nova_ext.core.what_if import Changes
from nova_ext.core.wording import clean, host_names
from nova_ext.record import location, reader

COLUMNS = ('Count', 'Hosts', 'Stage', 'Verdict', 'Reason')
#: Hosts of the ranking that are told.
_RANKED = 1000
#: Formats that hold everything there is to say, and not the table alone.
_WHOLE = ('json', 'yaml')


class Simulate(lister.Lister):
    """Say where a server would go, in place of a stock nova-scheduler.

    Takes the options of "openstack server create" and nova-scheduler's
    configuration, asks its databases and placement, and does nothing.
    """

    #: Set by take_action(), for what stands around the table.
    _whole: dict[str, Any]

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        boot_request.add(parser)
        parser.add_argument(
            '--instead-of', metavar='SERVER|REQUEST-ID',
            help='compare it with the newest recorded decision about this',
        )
        parser.add_argument(
            '--filters', metavar='A,B',
            help='enable these filters, in this order',
        )
        parser.add_argument(
            '--multiplier', metavar='WEIGHER=X', action='append', default=[],
            help='of a weigher; may be repeated',
        )
        arguments.add_configuration(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Decide, and explain the decision."""
        # Each takes two seconds to import.
        import openstack

        cloud = openstack.connect()
        try:
            request = boot_request.read(parsed_args, cloud)
            access = cloud.session.auth.get_access(cloud.session)
        except NovaExtError:
            raise
        except Exception as error:
            raise NovaExtError(
                f'the cloud can\'t be asked: {clean(str(error))}; set '
                f'OS_CLOUD'
            ) from error
        files = parsed_args.config_file, parsed_args.config_dir
        notes = []
        before = None
        if parsed_args.instead_of:
            before = reader.find(
                location.path(*files),
                server_name.identify(parsed_args.instead_of),
            ).decisions[0]
        from nova_ext.scheduler import beside

        decision = beside.simulate(
            *files, {
                'user_id': access.user_id, 'project_id': access.project_id,
                'roles': access.role_names,
            }, request, _changes(parsed_args), _RANKED,
        )
        if before is not None:
            notes = [clean(counterfactual.between(before, decision))]
        told = explain(decision)
        self._whole = {
            'sentence': told.sentence, 'outcome': told.outcome,
            'rows': [asdict(row) for row in told.rows],
            'notes': [*notes, *told.notes], 'decision': decision.to_dict(),
        }
        return COLUMNS, [
            (
                row.count, host_names(row.hosts, row.count), clean(row.stage),
                row.verdict, clean(row.reason),
            )
            for row in told.rows
        ]

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """The table between its sentence and its notes, or the whole."""
        out, whole = self.app.stdout, self._whole
        if parsed_args.formatter in _WHOLE:
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(whole)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [whole[name] for name in names], out, parsed_args
            )
            return 0
        if parsed_args.formatter != 'table':
            return super().produce_output(parsed_args, column_names, data)
        print(whole['sentence'], file=out)
        super().produce_output(parsed_args, column_names, data)
        for note in whole['notes']:
            print(note, file=out)
        return 0


def _changes(options: argparse.Namespace) -> Changes:
    multipliers = {}
    for text in options.multiplier:
        name, _, value = text.partition('=')
        try:
            multipliers[name] = float(value)
        except ValueError:
            raise NovaExtError(
                f'--multiplier {text}: write WEIGHER=NUMBER'
            ) from None
    filters = options.filters
    return Changes(
        None if filters is None else [
            name.strip() for name in filters.split(',') if name.strip()
        ], multipliers,
    )
