"""Check that the mirrors of the schedulers' workers do what they are set to.

See doc/source/configuration/mirror.rst.
"""

from collections import Counter

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import (
    format_hosts,
    pluralize,
    sanitize,
)
from nova_ext.doctor.check import Finding, Results
from nova_ext.doctor.cloud import OURS
from nova_ext.doctor.facts import Facts

_PATH = '/v1/mirrors'
#: The first microversion that has it.
_MICROVERSION = '1.3'
_OFF = 'off'


def check(facts: Facts) -> Results:
    """Look for mirrors that are off, and hosts that they leave out."""
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
    mirrors = facts.cloud.get(OURS, _PATH, _MICROVERSION)['mirrors']
    off = Counter(
        mirror.get('reason') or 'no reason' for mirror in mirrors
        if mirror['state'] == _OFF and mirror['mode'] != _OFF
    )
    if off:
        yield Finding(
            'mirror-off', Severity.WARNING,
            f'{pluralize(off.total(), "mirror")} of {len(mirrors)} are off, '
            f'though nova.conf has them on',
            'Nova decides in their place, as well and more slowly.',
            'Where a decision differed from Nova\'s, nova-scheduler\'s log '
            'says how: report it. Turn them on again with openstack scheduler '
            'mirror set --on.',
            '; '.join(
                f'{count} {sanitize(reason)}'
                for reason, count in off.most_common()
            ),
        )
    refusing = sorted({
        provider for mirror in mirrors
        for provider in mirror.get('refusing', ())
    })
    if refusing:
        yield Finding(
            'claims-refused', Severity.WARNING,
            f'placement refuses claims on '
            f'{pluralize(len(refusing), "resource provider")} again and '
            f'again, though it says that there is room',
            'Mirrors leave them out, and Nova tries them when nothing else '
            'has room: servers get no room there.',
            'See placement\'s log for the refused requests, and compare '
            'openstack resource provider usage show with its inventories.',
            format_hosts([
                facts.providers.get(uuid, sanitize(uuid)) for uuid in refusing
            ]),
        )
