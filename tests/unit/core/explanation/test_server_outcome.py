"""Test what became of a server after the scheduler."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import server_outcome
from nova_ext.core.explanation.server_history import History

SERVER = 'server-a'
SERVER_ID = '11111111-2222-3333-4444-555555555555'
WHY = (
    'Insufficient compute resources: Requested instance NUMA topology cannot '
    'fit the given host NUMA topology.'
)


def decision(*offered):
    """Return a decision that offered hosts."""
    return d.Decision(
        '2026-11-21T12:00:00.500Z', 'req-1', [SERVER], outcome=d.PLACED,
        chosen={SERVER: list(offered)},
    )


def build(host, second, result='Success', event=server_outcome.BUILD):
    """Return the event of one try to build, or to move."""
    return {
        'event': event, 'host': host, 'result': result,
        'start_time': f'2026-11-21T12:00:{second:02}.000000',
    }


def server(status='ACTIVE', host='cmp-3', **fields):
    """Return a server as the API shows it."""
    return {
        'id': SERVER, 'status': status, 'OS-EXT-SRV-ATTR:host': host,
        'OS-EXT-STS:task_state': None, **fields,
    }


def used_up(why):
    """Return the fault of a server that Nova tried on enough hosts."""
    return {
        'message': 'Exceeded maximum number of retries. Exceeded max '
                   f'scheduling attempts 3 for instance {SERVER_ID}. Last '
                   f'exception: {why}',
        'created': '2026-11-21T12:00:09Z',
    }


def describe(made, shown, *events, later=()):
    """Return the sentences on the decision's action, and later ones."""
    own = {
        'action': 'resize', 'request_id': 'req-1',
        'start_time': '2026-11-21T12:00:00.000000',
        'message': 'Error' if shown.get('fault') else None,
    }
    return server_outcome.describe_outcome(
        made, History(shown, [*later, own], {**own, 'events': list(events)})
    )


class ServerOutcomeTest(testtools.TestCase):
    """Sentences, in the order of what happened."""

    def says(self, sentences, shown, *events, offered=('cmp-2', 'cmp-3')):
        """Assert on what is told."""
        self.assertEqual(
            sentences,
            describe(decision(*offered), shown, *events),
        )

    def test_built_at_once(self):
        """Nothing but where it is."""
        self.says(['the server is ACTIVE on cmp-2'], server(host='cmp-2'),
                  build('cmp-2', 1))

    def test_second_host(self):
        """In order of time; of one second, the newest is first."""
        for events in (
            (build('cmp-3', 2), build('cmp-2', 1)),
            (build('cmp-2', 1), build('cmp-3', 2)),
            (build('cmp-3', 1), build('cmp-2', 1)),
        ):
            self.says(
                ['the build failed on cmp-2, cmp-3 tried next; why stands in '
                 'the log of nova-compute on cmp-2',
                 'the server is ACTIVE on cmp-3'], server(), *events,
            )

    def test_alternates_used_up(self):
        """All were tried; Nova's last word is the fault."""
        self.says(
            ['the build failed on cmp-2, cmp-3 tried next; why stands in the '
             'log of nova-compute on cmp-2',
             'every host that the scheduler offered was tried: cmp-2, cmp-3',
             'the server\'s fault: Exceeded maximum number of retries.',
             'the server is ERROR'],
            server('ERROR', None, fault={
                'message': 'Exceeded maximum number of retries.',
                'created': '2026-11-21T12:00:09Z',
            }), build('cmp-2', 1), build('cmp-3', 2),
        )

    def test_alternates_left_out(self):
        """Where the record left them out, it is not known that all failed."""
        made = decision('cmp-2')
        made.left_out = [d.ALL_BUT_ENDS]
        self.assertNotIn('every host', str(describe(
            made, server('ERROR', None, fault={
                'message': 'x', 'created': '2026-11-21T12:00:09Z',
            }), build('cmp-2', 1),
        )))

    def test_attempts_used_up(self):
        """Why the last host failed has a sentence of its own."""
        self.says(
            ['the server\'s fault: Exceeded maximum number of retries. '
             'Exceeded max scheduling attempts 3 for instance '
             f'{SERVER_ID}.',
             f'the build failed on the last host because of {WHY}',
             'the server is ERROR'], server('ERROR', None, fault=used_up(
                f'Build of instance {SERVER_ID} was re-scheduled: {WHY}'
            )),
        )

    def test_attempts_of_a_move_used_up(self):
        """It is no build that failed."""
        *_, why, _ = describe(
            decision(), server(fault=used_up('y' * 999)),
            build('cmp-2', 1, event=server_outcome.PREPARE),
        )
        self.assertTrue(
            why.startswith('the move failed on the last host because of yyy')
        )
        self.assertEqual(server_outcome.MAX_MESSAGE, len(why))

    def test_unknown_last_exception(self):
        """Nova does not always know it."""
        self.assertNotIn('because', ' '.join(
            describe(decision(), server(fault=used_up(None)))
        ))

    def test_still_building(self):
        """Name what it is doing."""
        self.says(
            ['the server is BUILD on cmp-2, spawning'],
            server('BUILD', 'cmp-2', **{'OS-EXT-STS:task_state': 'spawning'}),
            build('cmp-2', 1, None),
        )

    def test_move_to_alternate(self):
        """Nova reschedules resizes and cold migrations, too."""
        self.says(
            ['the move failed on cmp-2, cmp-3 tried next; why stands in the '
             'log of nova-compute on cmp-2',
             'the server is VERIFY_RESIZE on cmp-3'],
            server('VERIFY_RESIZE'),
            build('cmp-3', 1, event=server_outcome.PREPARE),
            build('cmp-2', 1, event=server_outcome.PREPARE),
        )

    def test_move_without_alternate(self):
        """The server is where it was, in no error."""
        self.says(
            ['the move failed on cmp-2, cmp-3 tried next; why stands in the '
             'log of nova-compute on cmp-2',
             'every host that the scheduler offered was tried: cmp-2, cmp-3',
             'conductor_migrate_server failed on ctl-1',
             'the server is ACTIVE on cmp-1'],
            server(host='cmp-1'),
            build('ctl-1', 3, 'Error', event=server_outcome.TAKE_NEXT),
            build('cmp-3', 2, event=server_outcome.PREPARE),
            build('cmp-2', 1, event=server_outcome.PREPARE),
        )

    def test_failed_move(self):
        """Name the step that failed, the host and the reason."""
        self.says(
            ['compute_prep_resize failed on cmp-3: no room',
             'the server is ACTIVE on cmp-1'],
            server(host='cmp-1'), {
                'event': 'compute_prep_resize', 'host': 'cmp-3',
                'result': 'Error', 'details': 'no room',
                'start_time': '2026-11-21T12:00:01.000000',
            },
        )

    def test_offer_not_recorded(self):
        """What was not recorded can't be said to be used up."""
        self.assertNotIn('every host', ' '.join(
            describe(decision(), server('ERROR', None), build('cmp-2', 1))
        ))

    def test_older_fault(self):
        """It is not of this request."""
        self.says(['the server is ERROR'], server('ERROR', None, fault={
            'message': 'long ago', 'created': '2026-11-21T11:59:59Z',
        }))

    def test_fault_by_a_log(self):
        """A log's times are local ones: the request tells whose it is."""
        by_log = decision()
        by_log.by, by_log.at = {'source': 'log'}, 'Nov 22 01:00:01'
        described = describe(by_log, server('ERROR', None, fault={
            'message': 'no disk', 'created': '2026-11-21T16:00:05Z',
        }))
        self.assertIn('the server\'s fault: no disk', described)

    def test_one_reason(self):
        """Events within each other fail for one reason, and so the fault."""
        events = [
            {**build('ctl', 1, 'Error', name), 'details': 'No valid host.'}
            for name in ('cold_migrate', server_outcome.TAKE_NEXT)
        ]
        self.says(
            ['conductor_migrate_server failed on ctl: No valid host.',
             'the server is ERROR'], server('ERROR', None, fault={
                'message': 'No valid host.',
                'created': '2026-11-21T12:00:01Z',
            }), *events,
        )

    def test_fault_of_another(self):
        """It is that of the action under way, the last that failed."""
        later = [{
            'action': action, 'request_id': f'req-{minute}',
            'message': message,
            'start_time': f'2026-11-21T12:{minute}:00.000000',
            'updated_at': f'2026-11-21T12:{end}:00.000000',
        } for action, minute, end, message in (
            ('reboot', 40, 41, None), ('lock', 25, 25, None),
            ('rescue', 20, 30, 'Error'), ('revertResize', 10, 11, None),
        )]
        for created, rescue, reboot in (
            (30, ' failed; the server\'s fault: no disk', None),
            (25, ' failed; the server\'s fault: no disk', None),
            (40, ' failed', '; the server\'s fault: no disk'),
            (50, ' failed', '; the server\'s fault: no disk'),
        ):
            shown = server('ERROR', None, fault={
                'message': 'no disk',
                'created': f'2026-11-21T12:{created}:00Z',
            })
            self.assertEqual(
                ['later, revertResize at 2026-11-21 12:10:00 UTC (req-10)',
                 f'later, rescue at 2026-11-21 12:20:00 UTC (req-20){rescue}',
                 *([] if reboot is None else [
                     f'later, reboot at 2026-11-21 12:40:00 UTC (req-40)'
                     f'{reboot}'
                 ]), 'the server is ERROR'],
                describe(decision(), shown, later=later),
            )

    def test_deleted(self):
        """Nova shows no more of it than its actions."""
        self.says(['the server was deleted'], {})

    def test_users_letters(self):
        """Nothing that others wrote reaches the terminal as a command."""
        sentences = describe(decision(), server(fault={
            'message': '\x1b[2J' + 'x' * 999, 'created': '2027',
        }))
        self.assertNotIn('\x1b', ''.join(sentences))
        self.assertLess(len(''.join(sentences)), 300)


class CorrectChoiceTest(testtools.TestCase):
    """What the server shows is never contradicted."""

    def correct(self, outcome, chosen, *events, mode='plugin'):
        """Return outcome and choice of a decision, corrected."""
        made = decision()
        made.by, made.outcome, made.chosen = {'mode': mode}, outcome, chosen
        made.attempts = [d.Attempt(SERVER, 0, 3, ranked_count=3)]
        newest = {'action': 'create', 'events': list(events)}
        server_outcome.correct_choice(made, History(server(), [], newest))
        return made.outcome, made.chosen.get(SERVER)

    def test_tried(self):
        """The host that was tried first is the chosen one."""
        placed = d.PLACED, ['cmp-2']
        events = build('cmp-3', 2), build('cmp-2', 1)
        for outcome in (d.NO_VALID_HOST, d.PASSED, d.FAILED):
            self.assertEqual(placed, self.correct(outcome, {}, *events))
        self.assertEqual(
            placed, self.correct(d.PLACED, {SERVER: ['cmp-1']}, *events)
        )

    def test_success_elsewhere(self):
        """An action that did not fail found a host."""
        event = build('ctl', 1, event='conductor_live_migrate_instance')
        self.assertEqual(
            (d.PASSED, None), self.correct(d.NO_VALID_HOST, {}, event)
        )

    def test_as_it_was(self):
        """A failure stays one, and so does what a scheduler of ours saw."""
        failed = build('ctl', 1, 'Error', 'conductor_migrate_server')
        for events, mode in (
            ([failed], 'plugin'), ([], 'plugin'),
            ([build('cmp-2', 1)], 'scheduler'),
        ):
            self.assertEqual(
                (d.NO_VALID_HOST, None),
                self.correct(d.NO_VALID_HOST, {}, *events, mode=mode),
            )
