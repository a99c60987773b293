"""Run nova-ext capacity: say how many servers would have fitted."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.cli import capacity_text
from nova_ext.cli.server_create import ServerCreateLister
from nova_ext.cmd import past
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.text_format import sanitize


class CountCapacity(ServerCreateLister):
    """Say how many servers of a flavor would have fitted, by a journal.

    Servers are placed one after the other, 100 at most, as Nova places those
    of one request. It asks no cloud. Where nova-ext-scheduler runs,
    "openstack scheduler capacity" says how many fit now.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        past.add_options(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        if not parsed_args.journal:
            raise NovaExtError(
                'give --journal; "openstack scheduler capacity" asks a '
                'running nova-ext-scheduler'
            )
        capacity, notes = past.count(parsed_args)
        decision, capacity.decision = capacity.decision, None
        assert decision is not None  # noqa: S101  count() sets it
        explanation = serialized.serialize(decision)
        self.document = document = {
            **capacity.to_dict(), 'decision': explanation, 'notes': notes,
        }
        self.sentence = capacity_text.summarize(document).replace(
            'more fit', 'fitted'
        )
        self.notes = [sanitize(note) for note in (
            *([] if capacity.bounded else [explanation['sentence']]), *notes
        )]
        return ('Host', 'Servers'), [
            (sanitize(host), room.least)
            for host, room in capacity.hosts.items()
        ]
