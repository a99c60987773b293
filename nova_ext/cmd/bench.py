"""Run nova-ext bench plugin: measure a filter, weigher or driver."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.cli.output import DocumentLister

COLUMNS = ('What', 'Hosts', 'us a host', 'Lowest', 'Highest', 'Ratio')
_SIZES = (100, 1000, 10000)


class BenchPlugin(DocumentLister):
    """Measure how long a plugin takes for each host, compared with Nova's.

    The plugin is run in this process, with its options at their defaults; a
    weigher's multiplier is 1.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the arguments and options."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'plugin', metavar='PLUGIN',
            help='MODULE:CLASS, FILE.py, FILE.py:CLASS, or the name of an '
                 'installed filter, weigher or driver',
        )
        parser.add_argument(
            '--hosts', metavar='N', type=_parse_positive, action='append',
            default=[],
            help='number of hosts; may be repeated (default: 100, 1000 and '
                 '10000)',
        )
        parser.add_argument(
            '--rounds', metavar='N', type=_parse_positive, default=9,
            help='number of measurements of each plugin (default: 9)',
        )
        parser.add_argument(
            '--against', metavar='NAME', action='append', default=[],
            help='compare with this filter or weigher of Nova; may be '
                 'repeated (default: the filters that Nova enables, or all of '
                 'its weighers)',
        )
        parser.add_argument(
            '--hint', metavar='KEY=VALUE', action='append', default=[],
            type=_parse_pair, help='a scheduler hint; may be repeated',
        )
        parser.add_argument(
            '--extra-spec', metavar='KEY=VALUE', action='append', default=[],
            type=_parse_pair,
            help='an extra spec of the flavor; may be repeated',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Measure and profile the plugin."""
        from nova_ext.bench import measure
        from nova_ext.core.base.progress import Progress

        hints: dict[str, list[str]] = {}
        for key, value in parsed_args.hint:
            hints.setdefault(key, []).append(value)
        measurement = measure.measure(
            parsed_args.plugin, parsed_args.hosts or _SIZES,
            parsed_args.rounds, parsed_args.against,
            measure.Request(hints, dict(parsed_args.extra_spec)), Progress(),
        )
        self.notes = list(_describe(measurement))
        return COLUMNS, [
            (
                timing.name, timing.hosts, round(timing.median_us, 3),
                round(timing.lowest_us, 3), round(timing.highest_us, 3),
                round(timing.ratio, 2),
            )
            for timing in measurement.timings
        ]


def _describe(measurement: Any) -> Iterable[str]:
    yield (
        f'Microseconds, the median of all rounds; ratio: how many times as '
        f'long {measurement.name} takes.'
    )
    if not measurement.has_nova:
        yield (
            'Nova is not installed here: these are the plugin\'s own figures '
            'alone.'
        )
    name = measurement.name
    yield f'Where the time goes in {name}, with callees and without:'
    for part in measurement.parts:
        yield (
            f'  {part.share:4.0%} {part.own:4.0%}  {part.function}, '
            f'{part.calls:.3g} calls a host'
        )


def _parse_positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f'{word} is less than 1')
    return number


def _parse_pair(word: str) -> tuple[str, str]:
    key, equals, value = word.partition('=')
    if not (key and equals):
        raise argparse.ArgumentTypeError(f'{word}: write KEY=VALUE')
    return key, value
