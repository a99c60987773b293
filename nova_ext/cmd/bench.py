"""nova-ext bench plugin: what a filter, weigher or driver costs a host."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from cliff import lister

COLUMNS = ('What', 'Hosts', 'us a host', 'Lowest', 'Highest', 'Ratio')
_SIZES = (100, 1000, 10000)


class BenchPlugin(lister.Lister):
    """Measure what a plugin takes a host, beside Nova's own in turn.

    The plugin is run in this process, with its options at their defaults.
    """

    #: Set by take_action(), for what stands below the table.
    _notes: Sequence[str] = ()

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'plugin', metavar='PLUGIN',
            help='MODULE:CLASS, FILE.py, FILE.py:CLASS, or the name of an '
                 'installed filter, weigher or driver',
        )
        parser.add_argument(
            '--hosts', metavar='N', type=_positive, action='append',
            default=[],
            help='how many hosts; may be repeated (default: 100, 1000 and '
                 '10000)',
        )
        parser.add_argument(
            '--rounds', metavar='N', type=_positive, default=9,
            help='how often to measure each (default: 9)',
        )
        parser.add_argument(
            '--against', metavar='NAME', action='append', default=[],
            help='a filter or weigher of Nova\'s; may be repeated (default: '
                 'the filters that Nova enables, or all of its weighers)',
        )
        parser.add_argument(
            '--hint', metavar='KEY=VALUE', action='append', default=[],
            type=_pair, help='a scheduler hint; may be repeated',
        )
        parser.add_argument(
            '--extra-spec', metavar='KEY=VALUE', action='append', default=[],
            type=_pair, help='an extra spec of the flavor; may be repeated',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Measure, and look where the time goes."""
        from nova_ext.bench import measure
        from nova_ext.core.base.progress import Progress

        hints: dict[str, list[str]] = {}
        for key, value in parsed_args.hint:
            hints.setdefault(key, []).append(value)
        made = measure.measure(
            parsed_args.plugin, parsed_args.hosts or _SIZES,
            parsed_args.rounds, parsed_args.against,
            measure.Request(hints, dict(parsed_args.extra_spec)), Progress(),
        )
        self._notes = list(_notes(made))
        return COLUMNS, [
            (
                figure.name, figure.hosts, round(figure.median_us, 3),
                round(figure.lowest_us, 3), round(figure.highest_us, 3),
                round(figure.ratio, 2),
            )
            for figure in made.figures
        ]

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """The table, and its notes where a person reads it."""
        super().produce_output(parsed_args, column_names, data)
        if parsed_args.formatter == 'table':
            for note in self._notes:
                print(note, file=self.app.stdout)
        return 0


def _notes(made: Any) -> Iterable[str]:
    yield (
        f'Microseconds, the median of all rounds; ratio: how many times as '
        f'long {made.name} takes.'
    )
    if not made.beside_nova:
        yield (
            'Nova is not installed here: these are the plugin\'s own figures '
            'alone.'
        )
    yield f'Where the time goes in {made.name}, with callees and without:'
    for part in made.parts:
        yield (
            f'  {part.share:4.0%} {part.own:4.0%}  {part.what}, '
            f'{part.calls:.3g} calls a host'
        )


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f'{word} is less than 1')
    return number


def _pair(word: str) -> tuple[str, str]:
    key, equals, value = word.partition('=')
    if not (key and equals):
        raise argparse.ArgumentTypeError(f'{word}: write KEY=VALUE')
    return key, value
