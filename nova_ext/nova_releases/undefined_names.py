"""Find each ``$name`` in a value that oslo.config can't replace."""

import contextlib
import tempfile
from pathlib import Path
from typing import Any

from oslo_config import cfg

from nova_ext.config_files.configuration import normalize_group


def find_undefined(
    settings: Any, options: dict[str, dict[str, Any]]
) -> Any:
    """Generate the settings with a ``$`` that oslo.config can't replace.

    oslo.config itself is asked. For each such name an option is added to
    the same group, with nothing else in its value, and is read.

    :param settings: group, option and text of each.
    :param options: the declared options, by name by group.
    """
    if not any('$' in text for _, _, text in settings):
        return  # Declaring all options anew takes a while.
    conf = cfg.ConfigOpts()
    groups = {
        normalize_group(group): None if group == 'DEFAULT' else group
        for group in options
    }
    for group, named in options.items():
        conf.register_opts(
            list(named.values()), group=groups[normalize_group(group)]
        )
    probes: list[tuple[list[str], str, str, bool]] = []
    lines = []
    for setting in settings:
        home, option, text = setting
        for name in _substituted(text) if home in groups else ():
            probe = f'nova_ext_probe_{len(probes)}'
            conf.register_opt(cfg.StrOpt(probe), group=groups[home])
            # Its own name is one that it can't be replaced by.
            probes.append((setting, probe, name, name == option))
            lines += [f'[{home}]', f'{probe} = ${{{name}}}']
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, 'probes.conf')
        file.write_text('\n'.join(lines))
        # Which options a service can't do without is no matter here.
        with contextlib.suppress(cfg.RequiredOptError):
            conf([], default_config_files=[str(file)], default_config_dirs=[])
    wrong: dict[tuple[str, ...], list[str]] = {}
    for setting, probe, name, itself in probes:
        home = groups[setting[0]]
        try:
            (conf[home] if home else conf)[probe]
        except Exception:
            itself = True
        if itself:
            wrong.setdefault(tuple(setting), []).append(name)
    for (group, option, text), names in wrong.items():
        yield group, option, text, names


def _substituted(text: str) -> list[str]:
    """Return the names that oslo.config replaces in a text."""
    template = cfg.ConfigOpts.Template(text.replace(r'\$', '$$'))
    return template.get_identifiers()
