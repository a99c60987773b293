"""Whether the decision records are whole."""

from collections.abc import Iterator

from nova_ext.core.base.errors import RecordError
from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import many
from nova_ext.doctor.check import Finding
from nova_ext.doctor.facts import Facts


def check(facts: Facts) -> Iterator[Finding | Unchecked]:
    """Look for decisions that could not be recorded."""
    for path, found in facts.records.items():
        if isinstance(found, RecordError):
            yield Unchecked(
                str(found), 'the record of each scheduler host: --record'
            )
            continue
        if found.dropped:
            yield Finding(
                'record-dropped', Severity.WARNING,
                f'{many(found.dropped, "decision")} dropped, the last before '
                f'{found.dropped_at}',
                'nova-ext explain can\'t explain them. Scheduling is not '
                'affected.',
                'nova-scheduler\'s log says why: "decisions could not be '
                'recorded". A full disk and a folder that its user may not '
                'write to are the usual causes.',
                str(path),
            )
        if found.garbage:
            yield Finding(
                'record-damaged', Severity.WARNING,
                f'{many(found.garbage, "line")} of the record without a '
                f'decision',
                'nova-ext explain can\'t explain what they held.',
                'Something else writes to the file, or the disk is damaged: '
                'give [nova_ext_record] file a name of its own.',
                str(path),
            )
