"""Write a first file of rules: what is true of a cloud now."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.kinds import aggregates, filters, passes
from nova_ext.cloud_rules.scheduler import UnknownError
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import sanitize

_HEAD = '''\
# What was true of this cloud when nova-ext check --init wrote it. Keep what
# has to stay so, change the numbers, delete the rest.
rules:
'''
_ZONE = 'availability_zone'


def write(path: Path, cloud: JudgedCloud, progress: Progress) -> int:
    """Write the file, which must not be there yet.

    :returns: the number of rules.
    :raises NovaExtError: the cloud can't be asked, or the file not written.
    """
    if path.exists():
        raise NovaExtError(f'{path} is there already; name another file')
    parts = list(_list_parts(cloud, progress))
    try:
        with path.open('x', encoding='utf-8') as stream:
            stream.write(_HEAD + ''.join(map(_format, parts)))
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error
    return sum(not isinstance(part, str) for part in parts)


def _format(part: Mapping[str, Any] | str) -> str:
    if isinstance(part, str):
        return f'# {sanitize(part)}\n'
    return yaml.safe_dump(
        [dict(part)], sort_keys=False, width=79, allow_unicode=True
    )


def _list_parts(
    cloud: JudgedCloud, progress: Progress
) -> Iterator[Mapping[str, Any] | str]:
    """Generate rules, and comments."""
    yield {filters.KEY: cloud.scheduler.list_filters()}
    outside = len(aggregates.list_outside(cloud, _ZONE))
    if outside < len(cloud.hosts):
        share = math.ceil(outside * 100 / len(cloud.hosts))
        yield {
            'hosts': f'at most {share} %' if outside else 'none',
            aggregates.KEY: _ZONE,
        }
    names = sorted(cloud.flavors)
    with progress.step('flavors'):
        for number, name in enumerate(names):
            progress.detail(f'{number} of {len(names)}')
            yield from _list_flavor(cloud, name)


def _list_flavor(
    cloud: JudgedCloud, name: str
) -> Iterator[Mapping[str, Any] | str]:
    """Generate where a flavor passes, and which aggregates it leaves out."""
    fields = {'flavor': name}
    try:
        verdicts = passes.ask(cloud, fields, ignore_room=True)
        if verdicts.unnamed:
            raise UnknownError('not all hosts are named in the answer')
    except NovaExtError as error:
        yield f'flavor {name} is left out: {error}'
        return
    if not verdicts.passing:
        yield f'flavor {name} passes on no host: {verdicts.sentence}'
        return
    yield {
        **fields, passes.KEY: 'at least 1 host', 'room': 'ignored',
    }
    for aggregate in sorted(cloud.aggregates, key=lambda each: each.name):
        if (
            aggregate.hosts & cloud.hosts
            and aggregate.metadata.keys() - {_ZONE}
            and not aggregate.hosts & verdicts.passing
        ):
            yield {
                **fields, passes.KEY: 'no host',
                'in aggregate': aggregate.name, 'room': 'ignored',
            }
