"""Read the lines of a service's log, in the forms in which people have them.

These are oslo.log's own formats since Juno: files, journald's output,
devstack's colours, JSON, and what fluentd makes of it. A line may be pasted
from a page, with its characters escaped, or wrapped.
"""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO

from nova_ext.record.reader import LINE_BYTES

#: A colour, also one whose escape character was lost when it was pasted.
_COLOUR = re.compile(r'(?:\x1b|#033|\^\[)?\[(?:0|\d\d(?:;\d\d)?)m')
_LINE = re.compile(
    r'(?P<head>.{0,200}?)\b(?:DEBUG|INFO|WARNING|ERROR|CRITICAL|TRACE) +'
    r'(?P<logger>[\w.]+) \[(?P<context>[^\]]*)\] (?P<message>.*)'
)
_TIME = re.compile(
    r'\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?|'
    r'[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d'
)
_REQUEST = re.compile(r'req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_SERVER = re.compile(r'^\[instance: ([0-9a-f-]{36})\] +')
#: Messages of a failed request that are understood without a heading.
_BARE = re.compile(
    r'(?:Starting with \d+ host\(s\)|Filter \w+ returned \d+ host|'
    r'Filtering removed all hosts for|Failed to \w+: No valid host was found|'
    # What a server's fault says, alone on its line.
    r'(?:^|^[\w.]*NoValidHost(?:_Remote)?: )(?=No valid host was found)|'
    r'NoValidHost exception with message: |'
    r'Got no allocation candidates from the Placement API).*'
)
#: A server's fault, as clients print it, and as Horizon does.
_FAULT = re.compile(
    r'(?P<quote>[\'"])(?P<fault>No valid host was found\..*?)(?P=quote)|'
    r'\[Error: (?P<error>No valid host was found\.[^\]]*)\]'
)
#: What fluentd writes to a file: the time, a tag and JSON.
_COLLECTED = re.compile(r'[^{]{0,200}[\s:](\{ *".*\})$')
#: What is left of a heading before the message, in JSON.
_CONTEXT = re.compile(r'\[(?P<context>[^\]]*\breq-[^\]]*)\] ?')
_EXCEPTION = re.compile(r'^[\w.]*NoValidHost(?:_Remote)?: ')
_QUOTES = str.maketrans('\u2018\u2019\u201c\u201d', '\'\'""')
#: The end of a line that goes on in the next one.
_UNFINISHED = re.compile(
    rb'(?:Filtering removed all hosts for(?!.*\])|'
    rb'\bnova(?:\.\w+)+ \[[^\]]*\]?$|'
    rb'\d\d:\d\d:\d\d[.,]\d+ \d+(?: [A-Z]{4,8}(?: +nova[\w.]*)?)?$|'
    rb'\bFiltering(?: removed(?: all(?: hosts)?)?)?$|'
    rb'\bFilter(?: \w+(?: returned(?: 0)?)?)?$|'
    rb'\bFailed to \w+:[^.]*$).*', re.DOTALL,
)
_HEADING = re.compile(
    rb'^\S*\d{4}-\d\d-\d\d[ T]|^[A-Z][a-z]{2} [ \d]\d \d\d:|^\s*$|^\{'
)
#: What mail and pages put before each line of a quotation.
_QUOTED = re.compile(rb'^(?:> ?)+')
_MOST_JOINED = 20

#: Fields of JSON by what they hold: of oslo.log, of its fluentd form, and of
#: what deployers make of it, in small letters.
_FIELDS = {
    'message': ('message', 'payload', 'log', 'msg'),
    'logger': ('name', 'python_module', 'logger', 'module'),
    'at': ('asctime', 'time', 'timestamp', '@timestamp'),
    'request': ('request_id', 'global_request_id'),
}


@dataclass(frozen=True)
class LogLine:
    """Represent a line that a service wrote for a request.

    :param at: the time as it is written there; may be empty.
    :param logger: name of the logger.
    :param request_id: the request that this service was serving; empty where
        only a message is left of the line. Its caller may know it by another
        id, which stands before this one.
    :param message: without the server's UUID that oslo.log puts before it.
    :param server: that UUID; may be empty.
    """

    at: str
    logger: str
    request_id: str
    message: str
    server: str = ''


def read(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a log from its beginning, wrapped ones joined."""
    file.seek(0)
    unfinished, joined = b'', 0
    for text in iter(partial(file.readline, LINE_BYTES), b''):
        if unfinished:
            text = _QUOTED.sub(b'', text)
            if _HEADING.match(text) or joined == _MOST_JOINED:
                yield unfinished
                joined = 0
            else:
                text = unfinished.rstrip() + b' ' + text.lstrip()
                joined += 1
            unfinished = b''
        if len(text) < LINE_BYTES and _UNFINISHED.search(text.rstrip()):
            unfinished = text
            continue
        joined = 0
        yield text
    if unfinished:
        yield unfinished


def parse(text: str) -> LogLine | None:
    """Read one line.

    :returns: None for a line without level, logger or request id, unless its
        message is known.
    """
    text = _COLOUR.sub('', text.strip())
    if '&' in text and not text.startswith('{"'):
        text = html.unescape(text)
    if text.startswith('{'):
        return _parse_json(text)
    collected = _COLLECTED.match(text)
    if collected and (line := _parse_json(collected[1])):
        at = _TIME.match(text)
        return replace(line, at=line.at or (at[0] if at else ''))
    text = text.translate(_QUOTES)
    match = _LINE.match(text)
    ids = _REQUEST.findall(match['context']) if match else []
    if match is None or not ids:
        return _parse_bare(text)
    at = _TIME.search(match['head'])
    return _make_line(
        at[0] if at else '', match['logger'], ids[-1], match['message']
    )


def _parse_bare(text: str) -> LogLine | None:
    """Read a known message whose heading is lost."""
    match = _BARE.search(text)
    if match is None:
        fault = _FAULT.search(text)
        return fault and LogLine(
            '', '', '', fault['fault'] or fault['error'].strip()
        )
    at = _TIME.search(text[:match.start()])
    message = _EXCEPTION.sub('', match[0])
    return LogLine(at[0] if at else '', '', '', message)


def _parse_json(text: str) -> LogLine | None:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    if isinstance(source := fields.get('_source'), dict):
        fields = source  # as OpenSearch shows it
    fields = {name.lower(): value for name, value in fields.items()}
    message = _get(fields, 'message')
    whole = None if message.startswith('{') else parse(message)
    if whole is not None and whole.request_id:
        return whole  # what collected it left the line as it was
    context = fields.get('context')
    left = _CONTEXT.match(message)
    ids = _REQUEST.findall(left['context'])[::-1] if left else []
    message = message[left.end():] if left else message
    ids += _REQUEST.findall(' '.join(
        # Kolla's fluentd cuts the beginning off.
        value if value.startswith('req-') else f'req-{value}'
        for value in (
            _get(fields, 'request'),
            _get(context, 'request') if isinstance(context, dict) else '',
        )
    ))
    if not ids:
        return whole
    return _make_line(
        _get(fields, 'at'), _get(fields, 'logger'), ids[0], message
    )


def _get(fields: dict[str, Any], kind: str) -> str:
    """Return the first text that a kind of field has; may be empty."""
    return next((
        value for value in map(fields.get, _FIELDS[kind])
        if isinstance(value, str) and value
    ), '')


def _make_line(at: str, logger: str, request: str, message: str) -> LogLine:
    server = _SERVER.match(message)
    return LogLine(
        at, logger, request, message[server.end():] if server else message,
        server[1] if server else '',
    )
