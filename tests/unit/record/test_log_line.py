"""Lines of a service's log."""

import testtools
from testtools import matchers

from nova_ext.record import log_line

REQUEST = 'req-938c0acd-c828-4750-b64c-e0aa4160b2f8'
CALLER = 'req-00000000-c828-4750-b64c-e0aa4160b2f8'
SERVER = 'e9b28810-b689-4495-9c4c-adb991cb8155'


class ParseTest(testtools.TestCase):
    """What counts is level, logger, request id and message."""

    def test_file(self):
        """A line of a log file, at INFO."""
        line = log_line.parse(
            f'2026-11-21 13:45:30.206 32386 INFO nova.filters [None {REQUEST} '
            f'admin 6f70 - - - -] Filter IoOpsFilter returned 0 hosts\n'
        )
        self.assertEqual(
            log_line.LogLine(
                '2026-11-21 13:45:30.206', 'nova.filters', REQUEST,
                'Filter IoOpsFilter returned 0 hosts',
            ), line,
        )

    def test_server(self):
        """The server's UUID before the message is no part of it.

        Of two request ids the second is this service's.
        """
        line = log_line.parse(
            f'2026-11-21 13:45:30.206 1 DEBUG nova.scheduler.manager '
            f'[{CALLER} {REQUEST} u p - - - -] [instance: {SERVER}] Selected '
            f'host: (a, a)'
        )
        self.assertEqual((REQUEST, 'Selected host: (a, a)'),
                         (line.request_id, line.message))

    def test_devstack(self):
        """Coloured lines out of the journal, raw or escaped."""
        for escape in ('\x1b', '#033'):
            line = log_line.parse(
                f'Nov  1 09:45:30 ctl nova-scheduler[77]: {escape}[00;32m'
                f'DEBUG nova.filters [{escape}[01;36mNone {REQUEST} '
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
        """Lines that no request caused say nothing."""
        for text in (
            '', '\n', 'Traceback (most recent call last):',
            '2026-11-21 13:45:30.206 1 INFO nova.service [-] Starting',
            '2026-11-21 13:45:30.206 1 ERROR oslo_messaging.rpc.server   File',
        ):
            self.assertIsNone(log_line.parse(text), text)
