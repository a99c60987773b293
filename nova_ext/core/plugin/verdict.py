"""What a filter says of one host: it passes, or it is rejected and why."""

from typing import NamedTuple


class Verdict(NamedTuple):
    """A filter's answer for one host.

    :param passed: whether the host stays.
    :param reason: why it does not, as a clause that also reads well when
        many hosts share it ("requested_host is cmp-2"); empty for PASS.
    :param detail: what was found on this host; continues the reason.
    """

    passed: bool
    reason: str = ''
    detail: str = ''


PASS = Verdict(True)


def reject(reason: str, detail: str = '') -> Verdict:
    """Reject the host for a reason that operators will read.

    A project's members read the filter's name and how many hosts it
    rejected; its reason, of nova-ext's own filters alone.

    :param reason: a clause without the host's own name, so that equal
        reasons can be counted together.
    :param detail: what was found on this host, and may differ on another;
        continues the reason ("but 7.5").
    :returns: the verdict.
    :raises ValueError: for an empty reason.
    """
    if not reason:
        raise ValueError('a rejection needs a reason')
    return Verdict(False, reason, detail)
