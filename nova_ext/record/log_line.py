"""One line of a service's log, as oslo.log writes it.

Plain files, journald's output and devstack's coloured lines are read alike:
what counts is ``LEVEL logger [… req-… …] message``.
"""

import re
from dataclasses import dataclass

_COLOUR = re.compile(r'(?:\x1b|#033)\[[0-9;]*m')
_LINE = re.compile(
    r'(?P<head>.{0,200}?)\b(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) +'
    r'(?P<logger>[\w.]+) \[(?P<context>[^\]]*)\] (?P<message>.*)'
)
_TIME = re.compile(
    r'\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?|'
    r'[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d'
)
_REQUEST = re.compile(r'req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_SERVER = re.compile(r'^\[instance: [0-9a-f-]{36}\] ')
#: What [DEFAULT] logging_debug_format_suffix adds, Nova's and devstack's.
_SUFFIX = re.compile(r' (?:\S+ \S+:\d+|\{\{.*\}\})$')


@dataclass(frozen=True)
class LogLine:
    """What a line says.

    :param at: the time as it stands there; may be empty.
    :param request_id: the request that this service was serving.
    :param other_ids: ids under which its caller knows the request.
    :param message: without the server's UUID that oslo.log puts before it,
        and without the place in the code that it puts behind it at DEBUG.
    """

    at: str
    level: str
    logger: str
    request_id: str
    other_ids: tuple[str, ...]
    message: str


def parse(text: str) -> LogLine | None:
    """Read one line.

    :returns: None for a line without level, logger or request id.
    """
    found = _LINE.match(_COLOUR.sub('', text.rstrip('\r\n')))
    if found is None:
        return None
    ids = _REQUEST.findall(found['context'])
    if not ids:
        return None
    message = _SERVER.sub('', found['message'])
    if found['level'] == 'DEBUG':
        message = _SUFFIX.sub('', message)
    at = _TIME.search(found['head'])
    return LogLine(
        at[0] if at else '', found['level'], found['logger'], ids[-1],
        tuple(ids[:-1]), message,
    )
