"""Which pushed stats extensions asked for and did not get."""

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.text_format import host_names, in_full, many


def told(counted: t.Tally) -> list[str]:
    """A line for each, unless hosts were rejected for just that.

    :param counted: the decision's hosts; its attempt is the one meant.
    """
    told_already = {group.reason for group in counted.groups}
    missed = counted.attempt.absent_stats if counted.attempt else []
    return [
        f'{_where(one)}: ' + in_full(
            t.Group('', '', one.reason, one.count, one.hosts, one.details)
        ) for one in missed if one.reason not in told_already
    ]


def _where(missed: d.Rejection) -> str:
    return host_names(missed.hosts, missed.count) or many(missed.count, 'host')
