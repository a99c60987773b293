"""Judge whether the multipliers that files set are in force."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.rules_file import NAME, CloudRule
from nova_ext.config_files import expected
from nova_ext.config_files.configuration import Name, Value
from nova_ext.core.base import naming
from nova_ext.nova_releases import scheduler_options

KEY = 'every multiplier set in'
SCHEMA = {
    'type': 'object', 'required': ['is'], 'additionalProperties': False,
    'properties': {**NAME, KEY: {
        'type': 'array', 'minItems': 1, 'items': {'type': 'string'},
        'description': 'write a list of files, such as [/etc/nova/nova.conf]',
    }, 'is': {
        'enum': ['in force'], 'description': 'write "is: in force"',
    }},
}
_ENDING = 'weight_multiplier'


def judge(rule: CloudRule, cloud: JudgedCloud) -> str:
    """Return what is otherwise than the rule says; empty: nothing.

    Of several files the later one counts, as of configuration files.

    :raises NovaExtError: a file can't be read.
    """
    folder = Path(rule.location.file).parent
    files = [str(folder / path) for path in rule.fields[KEY]]
    multipliers = {
        name: value for name, value in expected.read(files).items()
        if name[1].endswith(_ENDING)
    }
    if not multipliers:
        return f'no multiplier is set in {", ".join(files)}'
    return '; '.join(_compare(
        multipliers, cloud.scheduler.list_multipliers()
    ))


def _compare(
    expected_values: Mapping[Name, Value],
    in_force: Mapping[str, float | None],
) -> Iterator[str]:
    for name, value in sorted(expected_values.items()):
        written = f'{name[1]} = {value.text} ({value.location})'
        weigher = next(
            (each for each in in_force if _reads(each, *name)), None
        )
        if weigher is None:
            yield f'{written}: no weigher that runs reads it'
            continue
        number = in_force[weigher]
        try:
            wanted = float(value.text)
        except ValueError:
            yield f'{written} is no number'
            continue
        if number is None:
            yield f'{written}: what {weigher} uses is not known'
        elif not math.isclose(number, wanted):
            yield f'{written}: {weigher} uses {number:g}'


def _reads(weigher: str, group: str, option: str) -> bool:
    """Say whether a weigher has its multiplier from an option."""
    if option == _ENDING:
        own = naming.to_snake_case(weigher.removesuffix('Weigher'))
        return group in (own, f'nova_ext_{own}')
    known = scheduler_options.WEIGHERS_OF_OPTIONS.get(option)
    return weigher == known or (
        known is None and option == naming.get_multiplier_key(weigher)
    )
