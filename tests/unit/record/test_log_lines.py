"""Test reading the lines of a service's log."""

import html
import io
import json

import testtools
from testtools import matchers

from nova_ext.record import log_lines

TOO_BIG = 'req-65a0d0e7-d6bf-4df6-9ba9-b7aaca96e999'
CALLER = 'req-00000000-c828-4750-b64c-e0aa4160b2f8'
SECOND = '6dce724d-732c-4510-8349-bd2850e0765f'
NONE = 'Filter IoOpsFilter returned 0 hosts'


class ParseTest(testtools.TestCase):
    """Find level, logger, request id and message."""

    def test_file(self):
        """Read a line of a log file, at INFO."""
        line = log_lines.parse(
            f'2026-11-21 13:45:30.206 32386 INFO nova.filters [None {TOO_BIG} '
            f'admin 6f70 - - - -] Filter IoOpsFilter returned 0 hosts\n'
        )
        self.assertEqual(log_lines.LogLine(
            '2026-11-21 13:45:30.206', 'nova.filters', TOO_BIG,
            'Filter IoOpsFilter returned 0 hosts',
        ), line)

    def test_server(self):
        """Leave out the server's UUID before the message.

        Of two request ids the second is this service's.
        """
        line = log_lines.parse(
            f'2026-11-21 13:45:30.206 1 DEBUG nova.scheduler.manager '
            f'[{CALLER} {TOO_BIG} u p - - - -] [instance: {SECOND}] '
            f'Selected host: (a, a)'
        )
        self.assertEqual((TOO_BIG, 'Selected host: (a, a)'),
                         (line.request_id, line.message))

    def test_devstack(self):
        """Read coloured lines of the journal, raw or escaped."""
        for escape in ('\x1b', '#033'):
            line = log_lines.parse(
                f'Nov  1 09:45:30 ctl nova-scheduler[77]: {escape}[00;32m'
                f'DEBUG nova.filters [{escape}[01;36mNone {TOO_BIG} '
                f'{escape}[00;36mdemo demo{escape}[00;32m] '
                f'{escape}[01;35m{escape}[00;32mStarting with 3 host(s)'
                f'{escape}[00m {escape}[00;33m{{{{(pid=77) '
                f'get_filtered_objects /opt/stack/nova/nova/filters.py:70}}}}'
                f'{escape}[00m'
            )
            self.assertEqual('Nov  1 09:45:30', line.at)
            self.assertThat(
                line.message,
                matchers.StartsWith('Starting with 3 host(s)'),
            )

    def test_other_lines(self):
        """Ignore lines that no request caused."""
        for text in (
            '', '\n', 'Traceback (most recent call last):',
            '2026-11-21 13:45:30.206 1 INFO nova.service [-] Starting',
            '2026-11-21 13:45:30.206 1 ERROR oslo_messaging.rpc.server   File',
        ):
            self.assertIsNone(log_lines.parse(text), text)

    def test_json(self):
        """Read oslo.log's JSON, and what fluentd and journald make of it."""
        at = '2026-11-21 13:45:30.206'
        plain = f'{at} 1 INFO nova.filters [{CALLER} {TOO_BIG} u p] {NONE}'
        for fields in (
            {'message': NONE, 'asctime': at, 'name': 'nova.filters',
             'msg': 'Filter %s returned 0 hosts', 'context': {
                 'request_id': TOO_BIG, 'global_request_id': CALLER}},
            {'message': NONE, 'time': at, 'name': 'nova.filters',
             'context': {'request_id': TOO_BIG}},
            {'Payload': NONE, 'Timestamp': at, 'python_module': 'nova.filters',
             'request_id': TOO_BIG, 'programname': 'nova-scheduler'},
            {'MESSAGE': plain}, {'log': plain + '\n'},
            # Kolla's fluentd leaves "req-" out, and devstack's the context in.
            {'Payload': NONE, 'Timestamp': at, 'python_module': 'nova.filters',
             'request_id': TOO_BIG.removeprefix('req-')},
            {'Payload': f'[{CALLER} {TOO_BIG} u p] {NONE}', 'Timestamp': at,
             'python_module': 'nova.filters'},
            {'_index': 'flog', '_source': {
                'Payload': NONE, '@timestamp': at, 'request_id': TOO_BIG,
                'python_module': 'nova.filters'}},
        ):
            self.assertEqual(
                log_lines.LogLine(at, 'nova.filters', TOO_BIG, NONE),
                log_lines.parse(json.dumps(fields)),
            )
        for text in (
            '{', '{}', '[]', '{"message": 1}', '{"message": "x", "name": []}',
            json.dumps({'message': '{' * 2000}), '{"a":' * 100_000,
            json.dumps({'message': NONE, 'context': []})[:-1],
        ):
            self.assertIsNone(log_lines.parse(text), text)

    def test_json_in_text(self):
        """Read JSON behind fluentd's tag, and with HTML's escapes."""
        fields = json.dumps({
            'Payload': NONE, 'python_module': 'nova.filters',
            'request_id': TOO_BIG,
        })
        at = '2026-11-21 13:45:30'
        for text, time in (
            (f'{at} +0000 nova.nova-scheduler: {fields}', at),
            (f'{at} +0000\tnova.nova-scheduler\t{fields}', at),
            (f'nova.nova-scheduler: {fields}', ''),
            (html.escape(fields), ''),
        ):
            self.assertEqual(
                log_lines.LogLine(time, 'nova.filters', TOO_BIG, NONE),
                log_lines.parse(text),
            )

    def test_fault(self):
        """Read a server's fault from what clients and Horizon print."""
        reason = 'No valid host was found. There are not enough hosts.'
        for text in (
            f"| fault | {{u'message': u'{reason}', u'code': 500}} |",
            json.dumps({'message': reason, 'code': 500}),
            f'    "message": "{reason}",',
            f'Error: Please try again later [Error: {reason} ].',
        ):
            self.assertEqual(
                log_lines.LogLine('', '', '', reason), log_lines.parse(text)
            )

    def test_bare_message(self):
        """Read a known message without its heading."""
        self.assertEqual(
            log_lines.LogLine('', '', '', NONE), log_lines.parse(f'> {NONE}')
        )

    def test_wrapped(self):
        """Join lines that were wrapped, and no others."""
        for lines, joined in (
            ([b'Filter X returned\n', b' 0 hosts\n'], 1),
            ([b'Filter X returned\n', b'\n'], 2),
            ([b'Filter X returned\n', b'2026-11-21 13:45:30 x\n'], 2),
            ([b'1 INFO nova.filters [req-1\n', b'u p] Filter X\n',
              b'returned 0 hosts\n'], 1),
            ([b'2026-11-21 13:45:30.206 1 INFO\n', b'nova.filters\n',
              b'[req-1 u p]\n', b'Filtering removed\n', b'all hosts\n'], 1),
            ([b'Filter X returned 0 hosts\n', b'Filter Y\n'], 2),
            ([b'Filter\n'] * 100, 5),
        ):
            read = list(log_lines.read(io.BytesIO(b''.join(lines))))
            self.assertEqual(joined, len(read), read)
            self.assertEqual(
                b''.join(lines).split(), b''.join(
                    line + b' ' for line in read
                ).split(),
            )

    def test_quotation(self):
        """Join wrapped lines of a quotation without its marks."""
        self.assertEqual(
            [b'> Filter X returned 0 hosts\n'], list(log_lines.read(
                io.BytesIO(b'> Filter X returned\n> 0 hosts\n')
            )),
        )
