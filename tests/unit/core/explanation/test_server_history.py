"""Test what is told of an action that left no decision."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import server_history
from nova_ext.core.explanation.server_history import History

OLDER = d.Decision(
    '2026-11-21T11:00:00.000Z', 'req-0', operation='first boot',
)


def action(name, second, **fields):
    """Return an action as the API shows it."""
    return {
        'action': name, 'request_id': f'req-{second}', 'message': None,
        'start_time': f'2026-11-21T12:00:{second:02}.000000', **fields,
    }


def event(result='Error', **fields):
    """Return an event of an action."""
    return {
        'event': 'conductor_live_migrate_instance', 'result': result,
        'start_time': '2026-11-21T12:00:06.000000', **fields,
    }


class ServerHistoryTest(testtools.TestCase):
    """Find the newest action, and say what is known of it."""

    def says(self, end, *events, older=OLDER, **shown):
        """Assert on how the sentence ends, and return the rest."""
        newest = action(
            'live-migration', 5, message='Error', events=list(events)
        )
        unrecorded = server_history.explain_unrecorded(
            History({'status': 'ACTIVE', **shown}, [newest], newest), older
        )
        self.assertEqual(
            'live-migration at 2026-11-21 12:00:05 UTC (req-5): no decision '
            f'is recorded{end}', unrecorded.sentence,
        )
        return unrecorded

    def test_newest(self):
        """Take the newest that may need a host, whatever the order."""
        actions = [
            action('lock', 9), action('rebuild', 4), action('resize', 7),
            action('create', 1),
        ]
        self.assertEqual(
            'resize', server_history.find_newest(actions)['action']
        )
        self.assertIsNone(server_history.find_newest(actions[:1]))

    def test_reason(self):
        """Quote the event that failed; it has the fault's words."""
        told = self.says(
            '; conductor_live_migrate_instance failed on ctl: cmp-1 is down',
            event(host='ctl', details='cmp-1 is down'),
            fault={'message': 'down', 'created': '2026-11-21T12:00:06Z'},
        )
        self.assertEqual(['the server is ACTIVE'], told.after)
        self.assertEqual(
            ['an older decision, of 2026-11-21T11:00:00.000Z on first boot: '
             'explain req-0'], told.notes,
        )

    def test_member(self):
        """They see the fault alone, if it is of this action."""
        for second, fault in ((6, '; the server\'s fault: down'), (4, '')):
            self.says(
                f'; conductor_live_migrate_instance failed{fault}', event(),
                fault={
                    'message': 'down',
                    'created': f'2026-11-21T12:00:0{second}Z',
                },
            )

    def test_not_failed(self):
        """It may be under way, or no scheduler was asked."""
        self.says('; it did not fail', event('Success'))
        self.says('; it has not ended', event(None))
        self.says('')

    def test_stock(self):
        """Name what a stock scheduler does not record."""
        older = d.Decision('x', 'req-0', by={'mode': 'plugin'})
        *_, note = self.says('', older=older).notes
        self.assertIn('--log reads its log', note)
        self.assertEqual([], self.says('', older=None).notes)

    def test_fault_within_a_second(self):
        """Blame no action that nova-api does by itself for a fault."""
        create = action('create', 1)
        shown = {'status': 'ERROR', 'fault': {
            'message': 'no power', 'created': '2026-11-21T12:00:06Z',
        }}
        reset = action('resetState', 6, updated_at='2026-11-21T12:00:06')
        for actions in (
            [reset, action('reboot', 6, request_id='req-boot'), create],
            [reset, action('reboot', 5, request_id='req-boot'), create],
        ):
            (later,) = server_history.describe_later(
                History(shown, actions, create)
            )
            self.assertRegex(later, '^later, reboot .*req-boot.*no power$')
