"""The command: ``nova-ext image prefetch``."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cliff import lister
from oslo_config import cfg
from oslo_context import context

from image_prefetch import image
from image_prefetch.prefetch import ALIVE_S, FAILED, Prefetch
from nova_ext.client import NovaExtError, SchedulerClient


class TooFewError(NovaExtError):
    """The image is on fewer hosts than were asked for."""


class ImagePrefetch(lister.Lister):
    """Have an image on the best hosts of a group."""

    _short = ''

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        parser.add_argument('image', help='name of its file')
        parser.add_argument(
            '--source', required=True, metavar='DIR', type=Path,
            help='the folder with the image and its .sha256',
        )
        parser.add_argument(
            '--count', type=int, default=1, metavar='N',
            help='on how many hosts (default: 1)',
        )
        parser.add_argument(
            '--group', default='', help='of which group (default: any)'
        )
        parser.add_argument(
            '--dead-after', type=int, default=ALIVE_S, metavar='SECONDS',
            help='give a host up that gives no sign of life for so long '
                 f'(default: {ALIVE_S})',
        )
        parser.add_argument(
            '--config-file', action='append', metavar='FILE',
            help='a configuration file that names the message bus; may be '
                 'repeated (default: nova.conf, where Nova has it)',
        )
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; too few hosts are an error, after the table."""
        super().run(parsed_args)
        if self._short:
            raise TooFewError(self._short)
        return 0

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Choose, copy, and tell what became of each host."""
        cfg.CONF([
            word for path in parsed_args.config_file or ()
            for word in ('--config-file', path)
        ], project='nova')
        wanted = image.read(parsed_args.source, parsed_args.image)
        me = context.RequestContext()
        count = parsed_args.count
        with SchedulerClient() as client:
            prefetch = Prefetch(client, me, parsed_args.dead_after)
            chosen = prefetch.choose(wanted, count, parsed_args.group)
            _say(f'{chosen["why"]} ({me.request_id})')
            outcomes = prefetch.fetch(
                wanted, chosen['hosts'], count,
                lambda one: _say(f'{one.host}: {one.result}'),
            )
        there = sum(one.result != FAILED for one in outcomes)
        if there < count:
            self._short = f'{wanted.name} is on {there} of {count} hosts'
        return ('Host', 'Result', 'Why'), [
            (one.host, one.result, one.why) for one in outcomes
        ]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
