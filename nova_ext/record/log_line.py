"""One line of a service's log, as oslo.log writes it.

Plain files, journald's output and devstack's coloured lines are read alike:
what counts is ``LEVEL logger [… req-… …] message``.
"""

import re
from dataclasses import dataclass

_COLOUR = re.compile(r'(?:\x1b|#033)\[[0-9;]*m')
_LINE = re.compile(
    r'(?P<head>.{0,200}?)\b(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +'
    r'(?P<logger>[\w.]+) \[(?P<context>[^\]]*)\] (?P<message>.*)'
)
_TIME = re.compile(
    r'\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?|'
    r'[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d'
)
_REQUEST = re.compile(r'req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_SERVER = re.compile(r'^\[instance: [0-9a-f-]{36}\] ')


@dataclass(frozen=True)
class LogLine:
    """A line that a service wrote for a request.

    :param at: the time as it stands there; may be empty.
    :param logger: name of the logger.
    :param request_id: the request that this service was serving. Its caller
        may know it by another id, which stands before this one.
    :param message: without the server's UUID that oslo.log puts before it.
    """

    at: str
    logger: str
    request_id: str
    message: str


def parse(text: str) -> LogLine | None:
    """Read one line.

    :returns: None for a line without level, logger or request id.
    """
    match = _LINE.match(_COLOUR.sub('', text.rstrip('\r\n')))
    if match is None:
        return None
    ids = _REQUEST.findall(match['context'])
    if not ids:
        return None
    at = _TIME.search(match['head'])
    return LogLine(
        at[0] if at else '', match['logger'], ids[-1],
        _SERVER.sub('', match['message']),
    )
