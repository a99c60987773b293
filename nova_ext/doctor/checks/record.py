"""Check that the decision records are whole."""

from nova_ext.core.base.errors import RecordError
from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts


def check(facts: CloudFacts) -> Results:
    """Look for decisions that could not be recorded."""
    configuration = facts.configuration
    if configuration.unread:
        yield Unchecked(
            configuration.unread, 'nova.conf: run it as nova-scheduler\'s '
            'user, or name a file with --config-file'
        )
    for path, summary in facts.records.items():
        if isinstance(summary, RecordError):
            yield Unchecked(
                str(summary), 'the record of each scheduler host: --record'
            )
            continue
        if summary.dropped:
            yield DoctorFinding(
                'record-dropped', Severity.WARNING,
                f'{pluralize(summary.dropped, "decision")} dropped, the last '
                f'before {summary.dropped_at}',
                'nova-ext explain can\'t explain them. Scheduling is not '
                'affected.',
                'nova-scheduler\'s log says why: "decisions could not be '
                'recorded". A full disk and a folder that its user may not '
                'write to are the usual causes.',
                str(path),
            )
        if summary.garbage:
            yield DoctorFinding(
                'record-damaged', Severity.WARNING,
                f'{pluralize(summary.garbage, "line")} of the record without '
                f'a decision',
                'nova-ext explain can\'t explain what they held.',
                'Something else writes to the file, or the disk is damaged: '
                'give [nova_ext_record] file a name of its own.',
                str(path),
            )
