"""Check that the mirrors of the schedulers' workers do what they are set to.

See doc/source/configuration/mirror.rst.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import (
    format_hosts,
    pluralize,
    sanitize,
)
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.cloud import OURS
from nova_ext.doctor.facts import CloudFacts

_PATH = '/v1/mirrors'
_OFF = 'off'
#: Seconds, where nova.conf does not set [nova_ext] mirror_max_age_s.
_MAX_AGE_S = 60


def check(facts: CloudFacts) -> Results:
    """Look for mirrors that do not decide, and hosts that they leave out."""
    wanted = facts.configuration.value('nova_ext', 'mirror') or _OFF
    if facts.configuration.files and wanted == _OFF:
        return
    if not facts.cloud.has(OURS):
        if wanted != _OFF:
            yield Unchecked(
                'the mirrors of the schedulers',
                f'nova-ext-api, as service type {OURS} of the catalog',
            )
        return
    mirrors = facts.cloud.get(OURS, _PATH)['mirrors']
    off = Counter(
        mirror.get('reason') or 'no reason' for mirror in mirrors
        if mirror['state'] == _OFF and mirror['mode'] != _OFF
    )
    if off:
        yield DoctorFinding(
            'mirror-off', Severity.WARNING,
            f'{pluralize(off.total(), "mirror")} of {len(mirrors)} are off, '
            f'though nova.conf has them on',
            'Requests fall back to Nova, which decides alike but more slowly.',
            'If a decision differed from Nova\'s, nova-scheduler\'s log says '
            'how: report it. Restart the schedulers to turn the mirrors on '
            'again.',
            '; '.join(
                f'{count} {sanitize(reason)}'
                for reason, count in off.most_common()
            ),
        )
    yield from _find_unread(mirrors, _read_max_age(facts))
    refusing = sorted({
        provider for mirror in mirrors
        for provider in mirror.get('refusing', ())
    })
    if refusing:
        yield DoctorFinding(
            'claims-refused', Severity.WARNING,
            f'placement refuses claims on '
            f'{pluralize(len(refusing), "resource provider")} again and '
            f'again, though it says that there is room',
            'No server can be placed there. Mirrors leave these providers '
            'out; Nova tries them only if no other host has room.',
            'See placement\'s log for the refused requests, and compare '
            'openstack resource provider usage show with its inventories.',
            format_hosts([
                facts.providers.get(uuid, sanitize(uuid)) for uuid in refusing
            ]),
        )


def _find_unread(mirrors: Sequence[Any], max_age_s: float) -> Results:
    """Look for mirrors that are not loaded, or too old to decide."""
    loading = [
        one for one in mirrors
        if one['state'] == 'loading' and one['mode'] == 'on'
    ]
    if loading:
        yield DoctorFinding(
            'mirror-loading', Severity.INFO,
            f'{pluralize(len(loading), "mirror")} of {len(mirrors)} are not '
            f'loaded yet',
            'Requests fall back to Nova, which decides alike but more slowly.',
            'Look again in a minute. If no more providers were read by then, '
            'nova-scheduler\'s log says why.',
            '; '.join(_describe_reading(one) for one in loading),
        )
    old = [
        one for one in mirrors
        if one['state'] == one['mode'] == 'on'
        and (one.get('age_s') or 0) > max_age_s
    ]
    if old:
        yield DoctorFinding(
            'mirror-old', Severity.WARNING,
            f'{pluralize(len(old), "mirror")} of {len(mirrors)} were read '
            f'more than {max_age_s:g} s ago',
            'Requests fall back to Nova, which decides alike but more slowly.',
            'If nova-scheduler\'s log says that the mirror was not refreshed, '
            'repair what it names: a cell\'s database or placement. '
            'Otherwise providers change faster than they are read: increase '
            '[nova_ext] mirror_max_age_s.',
            '; '.join(
                f'{_describe_reading(one)}, {one["age_s"]:.0f} s old'
                for one in old
            ),
        )


def _describe_reading(mirror: Mapping[str, Any]) -> str:
    where = f'{sanitize(str(mirror["host"]))} {mirror["worker"]}'
    if mirror.get('providers') is None:
        return f'{where}: its file of providers can\'t be read'
    return (
        f'{where}: {mirror["providers_read"]} of {mirror["providers"]} '
        f'providers read'
    )


def _read_max_age(facts: CloudFacts) -> float:
    """Return the age beyond which Nova decides, in seconds."""
    try:
        return float(
            facts.configuration.value('nova_ext', 'mirror_max_age_s')
            or _MAX_AGE_S
        )
    except ValueError:
        return _MAX_AGE_S
