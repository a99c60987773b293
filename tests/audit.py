"""Audit what nova-ext brings into a scheduler's process.

Each mode runs in a process of its own: first it loads what a stock
nova-scheduler loads, then what nova.conf adds. The documentation's page is
made of it, and a test holds its bounds::

    python -m tests.audit

prints each mode as a line of JSON. The mirror is left out where Nova is too
old for it.
"""

import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What each mode is, as a table's heading has it.
MODES = {
    'plugin': 'Plugin mode, stock ``nova-scheduler``',
    'scheduler': '``nova-ext-scheduler``',
    'mirror': '``nova-ext-scheduler`` with ``mirror = on``',
}
#: Whether the installed Nova has what the mirror needs.
HAS_MIRROR = int(metadata.version('nova').partition('.')[0]) >= 33
#: The lines of nova.conf that plugin mode needs, with all of our filters.
LINES = """
[filter_scheduler]
available_filters = nova.scheduler.filters.all_filters
available_filters = nova_ext.scheduler.filters.all_filters
enabled_filters = {filters}
weight_classes = nova_ext.scheduler.weights.all_weighers
[nova_ext_record]
file = {folder}/decisions.jsonl
[nova_ext]
mirror = {mirror}
mirror_path = {folder}/mirror
"""


@dataclass(frozen=True)
class Audit:
    """Hold what a process loaded and touched.

    :param modules: lines by module of nova-ext.
    :param packages: distributions that stock nova-scheduler does not load.
    :param written: files that were opened to be written.
    :param connected: addresses that were connected to.
    """

    modules: dict[str, int]
    packages: list[str]
    written: list[str]
    connected: list[str]

    @property
    def lines(self) -> int:
        """Return the lines of all modules."""
        return sum(self.modules.values())

    @property
    def lines_of_others(self) -> int:
        """Return the lines without our own filters and weighers.

        An operator enables those one by one.
        """
        return sum(
            lines for name, lines in self.modules.items()
            if not name.startswith(('nova_ext.filters', 'nova_ext.weighers'))
        )

    def count_by_package(self) -> list[tuple[str, int, int]]:
        """Return packages with their numbers of modules and lines."""
        lines, modules = Counter(), Counter()
        for name, count in self.modules.items():
            package = '.'.join(name.split('.')[1:3]) or 'nova_ext'
            if not name.startswith(('nova_ext.core', 'nova_ext.scheduler')):
                package = name.split('.')[1] if '.' in name else package
            lines[package] += count
            modules[package] += 1
        return [(name, modules[name], lines[name]) for name in sorted(lines)]


def list_modes() -> list[str]:
    """Return the modes that the installed Nova can run."""
    return [mode for mode in MODES if HAS_MIRROR or mode != 'mirror']


@functools.cache
def measure() -> dict[str, Audit]:
    """Measure each mode in a process of its own."""
    done = subprocess.run(
        [sys.executable, '-W', 'ignore', '-m', 'tests.audit'],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True,
        # As nova-scheduler is since Nova 33, whose tests are not.
        env={**os.environ, 'OS_NOVA_DISABLE_EVENTLET_PATCHING': 'true'},
    )
    modes = list_modes()
    return {
        mode: Audit(**json.loads(line)) for mode, line in zip(
            modes, done.stdout.splitlines()[-len(modes):], strict=True
        )
    }


def render() -> str:
    """Return the tables of the documentation's page."""
    audits = measure()
    rows = [
        ('', *(MODES[mode] for mode in audits)),
        ('Modules of nova-ext', *(
            str(len(each.modules)) for each in audits.values()
        )),
        ('Their lines', *(f'{each.lines:,}' for each in audits.values())),
        ('Without our filters and weighers', *(
            f'{each.lines_of_others:,}' for each in audits.values()
        )),
        ('Further third-party packages', *(
            ', '.join(each.packages) or 'none' for each in audits.values()
        )),
    ]
    parts = [_make_table(rows)]
    for mode, audit in audits.items():
        title = f'Modules: {MODES[mode]}'
        parts.append(f'{title}\n{"-" * len(title)}\n\n' + _make_table([
            ('Package', 'Modules', 'Lines'), *(
                (f'``{name}``', str(modules), f'{lines:,}')
                for name, modules, lines in audit.count_by_package()
            ),
        ]))
    return '\n'.join(parts)


def _make_table(rows: list[tuple[str, ...]]) -> str:
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for row in rows:
        marks = ['* -', *('  -' for _ in row[1:])]
        lines += [
            f'   {mark} {cell}'
            for mark, cell in zip(marks, row, strict=True)
        ]
    return '\n'.join(lines) + '\n'


def _run(mode: str, folder: Path) -> Audit:
    """Load a mode, and have plugin mode decide and record one request."""
    filters = ', '.join(
        metadata.entry_points(group='nova_ext.filters').names
    )
    config = folder / 'nova.conf'
    config.write_text(LINES.format(
        folder=folder, filters=f'ComputeFilter, {filters}',
        mirror='on' if mode == 'mirror' else 'off',
    ))
    from nova import conf
    from nova.cmd import scheduler

    from tests.functional import novas

    scheduler.config.parse_args(
        ['nova-scheduler', '--config-file', str(config)]
    )
    written, connected = set(), set()
    stock = set(sys.modules)

    def note(event, args):
        # An open file may be opened again by its number.
        if event == 'open' and not isinstance(args[0], int) and (
            _is_write(*args[1:3])
        ):
            written.add(os.fsdecode(args[0]))
        elif event == 'socket.connect':
            connected.add(str(args[1]))

    sys.addaudithook(note)
    if mode == 'plugin':
        _decide(conf.CONF, novas)
    else:
        from nova_ext.scheduler.startup import startup_check

        startup_check.check()
    loaded = set(sys.modules) - stock
    return Audit(
        {
            name: len(Path(sys.modules[name].__file__).read_text(
            ).splitlines())
            for name in sorted(loaded)
            if name.split('.')[0] == 'nova_ext'
        },
        _list_packages(loaded, stock),
        sorted(
            path.replace(str(folder), '$folder') for path in written
            if not path.endswith('.pyc') and '__pycache__' not in path
        ),
        sorted(connected),
    )


def _is_write(mode, flags):
    """Say whether a file is opened to be written."""
    if isinstance(mode, str):
        return bool(set(mode) & set('wax+'))
    return bool(flags & (os.O_WRONLY | os.O_RDWR))


def _decide(conf, novas):
    """Filter and weigh as Nova's host manager does, and write the record."""
    from nova import context, objects
    from nova.scheduler import filters, weights

    objects.register_all()
    handler = filters.HostFilterHandler()
    known = {
        cls.__name__: cls for cls in handler.get_matching_classes(
            conf.filter_scheduler.available_filters
        )
    }
    enabled = [
        known[name]() for name in conf.filter_scheduler.enabled_filters
        if name != 'ComputeFilter'
    ]
    weighing = weights.HostWeightHandler()
    weighers = [
        cls() for cls in weighing.get_matching_classes(
            conf.filter_scheduler.weight_classes
        )
    ]
    spec = novas.request_spec(
        context.get_admin_context(), {'requested_host': ['a']}
    )
    hosts = [novas.host_state(name) for name in 'ab']
    passed = handler.get_filtered_objects(enabled, hosts, spec, 0)
    weighing.get_weighed_objects(weighers, passed or hosts, spec)
    del spec

    from nova_ext.scheduler.completion import recorder
    from nova_ext.scheduler.plugins.plugin_mode import open_requests

    request = open_requests.get_own()
    request.close()
    if not recorder.get().flush(60):
        raise RuntimeError('nothing was recorded')


def _list_packages(loaded, stock):
    """Return the distributions whose modules stock Nova loads none of."""
    named = metadata.packages_distributions()
    known = {name for module in stock for name in named.get(
        module.split('.')[0], ()
    )}
    return sorted({
        name for module in loaded for name in named.get(
            module.split('.')[0], ()
        )
    } - known - {'nova-ext'})


def _print_each() -> None:
    """Print each mode; Nova, which all have, is imported once."""
    for name in ('nova.cmd.scheduler', 'nova.scheduler.manager'):
        importlib.import_module(name)
    for mode in list_modes():
        process = os.fork()
        if process:
            if os.waitpid(process, 0)[1]:
                sys.exit(f'{mode} mode was not measured')
            continue
        with tempfile.TemporaryDirectory() as temporary:
            print(json.dumps(asdict(_run(mode, Path(temporary)))))
        return


if __name__ == '__main__':
    _print_each()
