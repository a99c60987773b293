"""Check that something reads the metadata of flavors, images, aggregates."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.doctor.check import DoctorFinding, NotRunError, Results
from nova_ext.doctor.configuration import Configuration
from nova_ext.doctor.facts import CloudFacts
from nova_ext.nova_releases import metadata_readers, plugins_and_options
from nova_ext.nova_releases.metadata_readers import (
    MetadataReaders,
    Unread,
    UnreadKind,
)

#: Most objects that are named for one key.
_MAX_NAMES = 5

#: Findings by kind, for all keys of the kind.
_FINDINGS = {
    UnreadKind.NO_ISOLATION: DoctorFinding(
        'isolation-missing', Severity.ERROR, 'leaving hosts open to all',
        'Servers of any project, or without the trait, are placed on hosts '
        'that the aggregate is meant to reserve.',
        'Enable what the text names: a filter in [filter_scheduler] '
        'enabled_filters, an option in [scheduler]. Or remove the key.',
    ),
    UnreadKind.UNREAD: DoctorFinding(
        'metadata-unread', Severity.WARNING, 'without effect',
        'Servers are placed as if it were not there.',
        'Enable the filter in [filter_scheduler] enabled_filters, or remove '
        'the key.',
    ),
    UnreadKind.UNCHECKED: DoctorFinding(
        'fit-unchecked', Severity.WARNING,
        'that the scheduler does not compare with hosts',
        'Servers are placed on hosts where they do not fit. nova-compute '
        'refuses them there, and each retry may meet such a host again.',
        'Enable the filter in [filter_scheduler] enabled_filters.',
    ),
}


def check(facts: CloudFacts) -> Results:
    """Compare the keys with the filters and options that are enabled."""
    readers = read_readers(facts.configuration)
    if not facts.configuration.files:
        yield Unchecked(
            'the enabled filters were taken to be Nova\'s default',
            'nova-scheduler\'s nova.conf: --config-file',
        )
    keys: dict[UnreadKind, dict[str, list[str]]] = {}
    unchecked: list[Unchecked] = []
    for what, name, unread in _find_unread(facts, readers, unchecked):
        texts = keys.setdefault(unread.kind, {})
        texts.setdefault(unread.text, []).append(f'{what} {sanitize(name)}')
    for kind, finding in _FINDINGS.items():
        texts = keys.get(kind, {})
        if texts:
            yield replace(
                finding, what=f'{pluralize(len(texts), "key")} {finding.what}',
                where='; '.join(
                    f'{sanitize(text, 300)} ({_format_names(names)})'
                    for text, names in texts.items()
                ),
            )
    yield from unchecked


def read_readers(configuration: Configuration) -> MetadataReaders:
    """Return the enabled filters and options, Nova's default if not set."""
    written = configuration.value('filter_scheduler', 'enabled_filters')
    filters = plugins_and_options.DEFAULT_FILTERS if written is None else (
        [name for name in re.split(r'[\s,]+', written) if name]
    )
    options = [
        ('scheduler', name) for name in metadata_readers.OPTIONS
    ] + [('filter_scheduler', metadata_readers.PCI_IN_PLACEMENT)]
    return MetadataReaders(filters, [
        name for group, name in options
        if (configuration.value(group, name) or '').lower() in (
            'true', '1', 'on', 'yes'
        )
    ])


def _find_unread(
    facts: CloudFacts, readers: MetadataReaders, unchecked: list[Unchecked]
) -> Iterator[tuple[str, str, Unread]]:
    """Generate what the key belongs to, its name and the key."""
    for name, specs in facts.flavors.items():
        yield from _name('flavor', name, readers.check_flavor(
            specs, metadata_readers.REPORTED
        ))
    for aggregate in facts.aggregates:
        yield from _name('aggregate', aggregate.name, readers.check_aggregate(
            aggregate.metadata
        ))
    if readers.reads_images:
        return
    try:
        images: Mapping[str, Mapping[str, str]] = facts.images
    except NotRunError as error:
        unchecked.append(error.unchecked)
        return
    for name, properties in images.items():
        yield from _name('image', name, readers.check_image(properties))


def _name(
    what: str, name: str, keys: Iterable[Unread]
) -> Iterator[tuple[str, str, Unread]]:
    return ((what, name, unread) for unread in keys)


def _format_names(names: list[str]) -> str:
    more = len(names) - _MAX_NAMES
    return ', '.join(names[:_MAX_NAMES]) + (f' and {more} more' * (more > 0))
