"""Draw what was measured, as PNG and SVG."""

import statistics
from dataclasses import dataclass, replace

import matplotlib as mpl

mpl.use('Agg')
from matplotlib import pyplot as plt

from tests.bench.select.points import BASE, Point

#: Bars that are so many times as long as the median one are cut off.
_CUT_OFF = 4
#: Colours that differ for colour-blind readers, too.
_COLOURS = {
    'stock': '#d55e00', 'tuned': '#e69f00', 'mirror': '#0072b2',
    'PUT': '#555555',
}


def draw(data, folder):
    """Write growth and stages."""
    _save(_draw_growth(data), folder / 'growth')
    _save(_draw_points(data), folder / 'points')


def _save(figure, path):
    figure.savefig(path.with_suffix('.png'), dpi=80)
    figure.savefig(path.with_suffix('.svg'))
    plt.close(figure)


def _draw_growth(data):
    """Draw milliseconds over hosts, beside straight lines."""
    figure, axes = plt.subplots(
        1, 2, figsize=(10, 4.2), layout='constrained'
    )
    whole = sorted((
        (each['point']['hosts'], each) for each in data['points']
        if Point(**each['point']) == _base(each['point'])
    ), key=lambda pair: pair[0])
    for name in ('stock', 'tuned', 'mirror', 'PUT'):
        _plot(axes[0], name, [
            (hosts, each[name]['median_ms']) for hosts, each in whole
        ])
    axes[0].set_title('One server, limit 1000, claimed in placement')
    for name, key in (('stock', 'stock_ms'), ('mirror', 'engine_ms')):
        _plot(axes[1], name, [
            (int(hosts), statistics.median(each[key]))
            for hosts, each in data['decisions'].items()
        ])
    axes[1].set_title('The decision alone (processor\'s time)')
    for each in axes:
        each.set(xscale='log', yscale='log', xlabel='hosts', ylabel='ms')
        each.grid(visible=True, which='major', alpha=0.3)
        if each.lines:
            each.legend(fontsize=8)
    return figure


def _plot(axes, name, pairs):
    if not pairs:
        return
    hosts, values = zip(*pairs, strict=True)
    axes.plot(hosts, values, 'o-', color=_COLOURS[name], label=name)
    axes.plot(
        hosts, [values[0] * each / hosts[0] for each in hosts], ':',
        color=_COLOURS[name], alpha=0.5,
        label='straight line' if name == 'stock' else None,
    )


def _draw_points(data):
    """Draw median and p99, the stages and the processor, by point."""
    points = data['points']
    figure, axes = plt.subplots(
        1, 5, figsize=(17, 1.6 + 0.55 * len(points)), sharey=True,
        layout='constrained',
    )
    rows = range(len(points))
    for number, who in enumerate(('stock', 'tuned', 'mirror', 'PUT')):
        places = [row - 0.3 + 0.2 * number for row in rows]
        axes[0].barh(
            places, [each[who]['median_ms'] for each in points], 0.18,
            color=_COLOURS[who], label=who,
        )
        axes[0].plot(
            [each[who]['p99_ms'] for each in points], places, '|',
            color='black', label=None if number else 'p99',
        )
    axes[0].set(xscale='log', title='Median and p99, ms', yticks=list(rows))
    axes[0].set_yticklabels([_name(each['point']) for each in points])
    for number, who in enumerate(('stock', 'mirror')):
        stages, processor = axes[1 + number], axes[3 + number]
        _stack(stages, points, who, 'stages_ms', _Bar(0.4, -0.15))
        _stack(stages, points, who, 'stages_p99_ms', _Bar(0.15, 0.2))
        stages.set_title(f'{who}: stages, ms a server (thin: p99)', size=10)
        _stack(processor, points, who, 'cpu_ms', _Bar(0.6))
        processor.set_title(f'{who}: processor, ms a server', size=10)
    for each in axes:
        each.legend(fontsize=7, framealpha=0.6)
        each.grid(visible=True, axis='x', alpha=0.3)
    axes[0].invert_yaxis()
    return figure


@dataclass(frozen=True)
class _Bar:
    """Say how thick a bar is, and how far below its row."""

    height: float
    below: float = 0.0


def _stack(axes, points, who, key, bar):
    """Draw a bar a point, one part behind the other, in the same colours."""
    rows = [row + bar.below for row in range(len(points))]
    left = [0.0] * len(points)
    names = sorted({name for each in points for name in each[who][key]})
    labelled = axes.get_legend_handles_labels()[1]
    for number, name in enumerate(names):
        widths = [
            each[who][key].get(name, 0.0) / each['point']['servers']
            for each in points
        ]
        axes.barh(
            rows, widths, bar.height, left=left, color=f'C{number}',
            label=None if name in labelled else name,
        )
        left = [one + other for one, other in zip(left, widths, strict=True)]
    if labelled:  # what was drawn before has set how far it goes
        most = axes.get_xlim()[1]
    else:
        most = min(_CUT_OFF * statistics.median(left), 1.05 * max(left))
    axes.set_xlim(0, most)
    for row, width in zip(rows, left, strict=True):
        if width > most:
            axes.text(
                most, row, f'{width:.0f} ', ha='right', va='center',
                color='white', fontsize=7 if labelled else None,
                fontweight='bold',
            )


def _name(point):
    others = Point(**point).describe(_base(point))
    return f'{point["hosts"]} hosts' + (f', {others}' if others else '')


def _base(point):
    return replace(BASE, hosts=point['hosts'])
