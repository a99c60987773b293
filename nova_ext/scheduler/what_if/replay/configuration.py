"""Read the configuration that decisions are made with again, and nothing else.

Nova's configuration is global: read one, once in a process.
"""

import json
import logging
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nova import objects
from oslo_config import cfg

from nova_ext.conf import config_errors, named_files
from nova_ext.core.base.errors import NovaExtError
from nova_ext.scheduler.base import nova_configuration, options

#: Options that change what Nova asks placement, 31 to 34
#: (nova.scheduler.request_filter, nova.scheduler.utils).
QUERY_OPTIONS = (
    ('scheduler', 'enable_isolated_aggregate_filtering'),
    ('scheduler', 'image_metadata_prefilter'),
    ('scheduler', 'limit_tenants_to_placement_aggregate'),
    ('scheduler', 'max_placement_results'),
    ('scheduler', 'placement_aggregate_required_for_tenants'),
    ('scheduler', 'query_placement_for_image_type_support'),
    ('scheduler', 'query_placement_for_routed_network_aggregates'),
    ('filter_scheduler', 'pci_in_placement'),
    ('workarounds', 'disable_fallback_pcpu_query'),
)
#: Others that decided what the journal has as a fact.
FACT_OPTIONS = (
    ('DEFAULT', 'service_down_time'),
    ('DEFAULT', 'servicegroup_driver'),
    ('filter_scheduler', 'track_instance_changes'),
)

#: Options of the command line.
_SKIPPED = ('config_dir', 'config_file', 'config_source')

#: Whether a service is up comes from the journal, whatever passes meanwhile.
_YEARS_S = 10 ** 9


def read(
    files: Sequence[str], folders: Sequence[str], plugins: Sequence[str] = ()
) -> None:
    """Read the configuration of files.

    :param files: as of ``--config-file``.
    :param folders: as of ``--config-dir``.
    :param plugins: folders in which plugins are looked for first.
    :raises NovaExtError: for one that can't be read.
    """
    sys.path[:0] = plugins
    logging.disable(logging.CRITICAL)
    options.register_all()
    try:
        nova_configuration.read(
            named_files.list_words(files, folders),
            configure_db=False, init_rpc=False,
        )
        _check_values()
    except config_errors.ERRORS as error:
        raise NovaExtError(
            f'the configuration can\'t be read: '
            f'{config_errors.describe(error)}'
        ) from None
    objects.register_all()


def _check_values() -> None:
    """Read what filters and weighers read later.

    :raises cfg.Error: for a wrong value.
    """
    for group in ('filter_scheduler', 'scheduler'):
        for name in options.CONF[group]:
            options.CONF[group][name]


def set_options(options_: Sequence[tuple[str, str, str]]) -> None:
    """Set single options, over what was read.

    :param options_: group, name and value of each; several of one name are
        several values.
    :raises NovaExtError: for an option that is not there, or a wrong value.
    """
    values: dict[tuple[str, str], list[str]] = {}
    for group, name, value in options_:
        values.setdefault((group, name), []).append(value)
    for (group, name), texts in values.items():
        multi = _is_repeated(group, name)
        try:
            options.CONF.set_override(
                name, texts if multi else ','.join(texts),
                None if group == 'DEFAULT' else group,
            )
        except (cfg.Error, ValueError) as error:
            raise NovaExtError(
                f'--set {group}.{name}: {" ".join(str(error).split())}'
            ) from None


def go_offline() -> None:
    """Have whatever is a fact of the journal not depend on this process."""
    conf = options.CONF
    conf.set_override('servicegroup_driver', 'db')
    conf.set_override('service_down_time', _YEARS_S)
    conf.set_override('enabled', False, 'nova_ext_record')


def read_recorded(
    configuration: Mapping[str, Mapping[str, Any]], masked: Sequence[str],
    plugins: Sequence[str] = (),
) -> None:
    """Read the configuration that a journal has.

    :param configuration: options by group.
    :param masked: those whose values are not known, ``group.name``.
    :param plugins: as of :func:`read`.
    """
    options.register_all()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'nova.conf'
        path.write_text(
            '\n'.join(_write(configuration, frozenset(masked))) + '\n',
            encoding='utf-8',
        )
        path.chmod(0o600)
        read([str(path)], (), plugins)


def list_differences(
    recorded: Mapping[str, Mapping[str, Any]],
    names: Sequence[tuple[str, str]],
) -> list[str]:
    """Return which options differ from those of a journal.

    Ask before :func:`go_offline`.

    :param names: group and name of each option.
    """
    conf = options.CONF
    return [
        f'[{group}] {name}' for group, name in names
        if name in recorded.get(group, {}) and name in (
            conf if group == 'DEFAULT' else conf[group]
        ) and _normalize(recorded[group][name]) != _normalize(
            (conf if group == 'DEFAULT' else conf[group])[name]
        )
    ]


def _normalize(value: Any) -> str:
    if isinstance(value, list | tuple):
        return json.dumps([str(each) for each in value])
    return str(value)


def _write(
    configuration: Mapping[str, Mapping[str, Any]], masked: frozenset[str]
) -> Iterator[str]:
    for group, values in configuration.items():
        yield f'[{group}]'
        for name, value in values.items():
            if value is None or name in _SKIPPED or (
                f'{group}.{name}' in masked
            ):
                continue
            for text in _format(group, name, value):
                yield f'{name} = {text}'


def _format(group: str, name: str, value: Any) -> list[str]:
    """Return the lines of a value as oslo.config reads them."""
    if isinstance(value, Mapping):
        value = [f'{key}:{each}' for key, each in value.items()]
    if isinstance(value, list | tuple):
        texts = [_escape(each) for each in value]
        if _is_repeated(group, name):
            return texts
        return [', '.join(
            f'"{text}"' if ',' in text else text for text in texts
        )]
    return [_escape(value)]


def _is_repeated(group: str, name: str) -> bool:
    """Say whether an option stands in a file once for each value."""
    try:
        info = options.CONF._get_opt_info(
            name, None if group == 'DEFAULT' else group
        )
    except cfg.Error:
        return False
    return bool(info['opt'].multi)


def _escape(value: Any) -> str:
    # oslo.config replaces $name, and ends a value at the end of a line.
    return ' '.join(str(value).replace('$', '$$').split('\n'))
