"""Read decisions over HTTP: who sees which, and what of them."""

from nova_ext.api.handlers import decisions
from nova_ext.api.http import fair_share
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.explanation import serialized
from nova_ext.decisions import bodies
from nova_ext.decisions.models import Shipped
from tests.unit.api.base import OURS, THEIRS, ApiTestCase, at, failed, placed
from tests.unit.record import samples

OTHER = '22222222-2222-3333-4444-555555555555'
NOBODYS = '33333333-2222-3333-4444-555555555555'


def explanation(server=samples.SERVER):
    """Return the path of a server's explanation."""
    return f'/v1/servers/{server}/explanation'


class ExplanationTest(ApiTestCase):
    """Send GET /v1/servers/{server_id}/explanation."""

    def test_operator(self):
        """Show administrators and auditors what nova-ext explain shows."""
        made = failed(at=at(2))
        self.ship(failed(at=at(1), message='older'), made)
        for who in ('admin', 'auditor'):
            body = self.ask(explanation(), who)['explanation']
            self.assertEqual(2, body.pop('decision_id'))
            self.assertEqual(
                serialized.serialize(made, samples.SERVER, 0), {
                    **body, 'older': 0, 'notes': [
                        note for note in body['notes'] if 'older' not in note
                    ],
                },
            )
            self.assertEqual(1, body['older'])
            self.assertIn('1 older: --all lists them', body['notes'])

    def test_what_was_left_out(self):
        """Ask placement of a success, for who may see hosts alone."""
        made = placed()
        made.project_id = OURS
        made.placement = d.Placement('limit=9', 3, 3, offered='x')
        made.absent = d.Rejection('no candidate from placement', 1)
        made.by['mode'] = 'scheduler'
        self.ship(made)
        for who in ('reader', 'member', 'manager'):
            self.ask(explanation(), who)
        self.assertIsNone(self.backends.fake.asked)
        told = 'the one host that it left out is disabled'
        body = self.ask(explanation(), 'admin')['explanation']
        self.assertIn(told, body['sentence'])
        self.assertEqual('limit=9', self.backends.fake.asked.query)
        self.backends.fake.error = NoSchedulerError('nobody is there')
        body = self.ask(explanation(), 'admin')['explanation']
        self.assertNotIn(told, body['sentence'])
        self.assertIn(
            f'{placement_diagnosis.NOT_ASKED}: nobody is there', body['notes']
        )

    def test_group_members(self):
        """Note members that any scheduler placed meanwhile; names to some."""
        own, other = placed(), placed()
        other.servers, other.request_id = [OTHER], f'req-{OTHER}'
        other.chosen = {OTHER: next(iter(own.chosen.values()))}
        other.by = {**own.by, 'host': 'ctl-2'}
        for each in own, other:
            each.project_id = OURS
            each.request['hints'] = {'group': ['g']}
        self.ship(own)
        self.ship(other)
        for who, named in (('admin', True), ('member', False)):
            (note,) = (
                note for note in
                self.ask(explanation(), who)['explanation']['notes']
                if 'of its group' in note
            )
            self.assertEqual(named, f': {OTHER} on ' in note, note)
            self.assertEqual(named, 'got several' in note, note)
            self.assertNotIn('other schedulers', note)

    def test_clock_set_back(self):
        """Explain what the scheduler wrote last."""
        self.ship(
            failed(at='2026-11-21T23:00:00.000Z', message='older'),
            failed(at=at(1)),
        )
        body = self.ask(explanation(), 'admin')['explanation']
        self.assertEqual(at(1), body['decision']['at'])
        self.assertIn('was set back', body['notes'][-1])

    def test_member(self):
        """Show members counts and reasons, and no name of a host."""
        made = placed()
        made.project_id = OURS
        self.ship(made)
        for who in ('reader', 'member', 'manager'):
            text = self.raw(explanation(), who)
            self.assertNotIn('compute-0', text)
            self.assertNotIn('ctl', text)
            body = self.ask(explanation(), who)['explanation']
            self.assertEqual(
                'host 1 chosen from 2 of 3 hosts that placement offered: '
                '1 disabled (ComputeFilter); alternates host 2',
                body['sentence'],
            )
            self.assertEqual(
                [
                    (1, 'chosen', ''), (1, 'alternate', ''),
                    (1, 'rejected', 'disabled'),
                ],
                [
                    (row['count'], row['verdict'], row['reason'])
                    for row in body['rows']
                ],
            )
        self.assertIn('compute-00002', self.raw(explanation(), 'admin'))

    def test_reasons(self):
        """Show members known reasons; of others the number of hosts."""
        made = failed(attempts=[d.Attempt(samples.SERVER, 0, 3, [
            d.Step('RackFilter', 'filter', 3, 1, [
                d.Rejection('near CMP-1.example.org', 1, ['cmp-1']),
                d.Rejection('not near cmp-1', 1, ['cmp-2']),
            ]),
            d.Step('SpecifiedHostFilter', 'filter', 1, 0, [
                d.Rejection('requested_host is x-1', 1, ['cmp-3']),
            ], d.Audience.USER),
        ])], hosts_total=3, user_id='member-id',
            request={'hints': {'requested_host': 'x-1'}})
        self.ship(made)
        number = self.ask(explanation(), 'member')['explanation'][
            'decision_id'
        ]
        shown = explanation(), f'/v1/decisions/{number}', '/v1/decisions'
        for path in *shown, f'/v1/decisions/{number}/page':
            self.assertNotIn('cmp-', self.raw(path, 'member').lower(), path)
            self.assertIn('requested_host is x-1', self.raw(path, 'member'))
            self.assertNotIn('x-1', self.raw(path, 'reader'))
        self.assertEqual(
            '0/3 hosts: 2 rejected by RackFilter, 1 requested_host is x-1 '
            '(SpecifiedHostFilter)',
            self.ask(explanation(), 'member')['explanation']['sentence'],
        )
        self.assertIn('CMP-1.example.org', self.raw(explanation(), 'admin'))

    def test_of_another_project(self):
        """Answer as if the server did not exist."""
        self.ship(failed(), failed(server=OTHER, project_id=THEIRS))
        told = {
            server: self.refusal(explanation(server), 'member', 404)
            for server in (OTHER, NOBODYS)
        }
        self.assertEqual(
            told[NOBODYS], told[OTHER].replace(OTHER, NOBODYS)
        )
        self.ask(explanation(OTHER), 'other')
        self.ask(explanation(OTHER), 'admin')

    def test_request(self):
        """Explain one request's, and not the newest; of one's own."""
        older = samples.REQUEST.replace('9', '7')
        self.ship(
            failed(at=at(1), request_id=older), failed(at=at(2)),
            failed(at=at(3), server=OTHER, project_id=THEIRS),
        )
        body = self.ask(f'{explanation()}?request={older}', 'member')
        self.assertEqual(
            (older, 0),
            (body['explanation']['request_id'], body['explanation']['older']),
        )
        for server in (samples.SERVER, OTHER):
            self.assertIn(
                f'about server {server} of request req-1: there is no',
                self.refusal(
                    f'{explanation(server)}?request=req-1', 'member', 404
                ),
            )
        self.refusal(
            f'{explanation(OTHER)}?request={samples.REQUEST}', 'member', 404
        )

    def test_dropped(self):
        """Say to operators how many decisions were not recorded."""
        self.ship(failed())
        with self.database.writing() as session:
            session.get(Shipped, 'ctl').dropped = 3
        note = '3 decisions dropped so far, counted over all schedulers'
        for who in ('admin', 'auditor'):
            notes = self.ask(explanation(), who)['explanation']['notes']
            self.assertEqual(note, notes[-1])
            refusal = self.refusal(explanation(NOBODYS), who, 404)
            self.assertTrue(refusal.endswith(f'database; {note}'), refusal)
        self.assertNotIn('dropped', str([
            self.ask(explanation(), 'member'),
            self.ask(f'/v1/decisions?server={samples.SERVER}', 'member'),
            self.refusal(explanation(NOBODYS), 'member', 404),
        ]))

    def test_no_server(self):
        """Answer 404 for what is no UUID."""
        for text in ('x', '%00', 'A' * 500):
            self.refusal(explanation(text), 'admin', 404)

    def raw(self, path, who):
        """Return the body as it is sent."""
        return self.client.get(path, headers={'X-Auth-Token': who}).text


class ListTest(ApiTestCase):
    """Send GET /v1/decisions."""

    def listed(self, query='', who='admin'):
        """Return the IDs of a list."""
        body = self.ask(f'/v1/decisions{query}', who)
        return [each['id'] for each in body['decisions']]

    def setUp(self):
        """Store three decisions of our project and one of theirs."""
        super().setUp()
        self.ship(
            failed(at=at(1)), failed(at=at(2), server=OTHER),
            failed(at=at(3), project_id=THEIRS, request_id='req-3'),
            failed(at=at(4), outcome='placed'),
        )

    def test_filters(self):
        """Select by server, request, project and outcome; newest first."""
        for query, ids in (
            ('', [4, 3, 2, 1]), (f'?server={OTHER}', [2]),
            ('?request=req-3', [3]), (f'?project={THEIRS}', [3]),
            ('?outcome=placed', [4]),
            (f'?outcome=no%20valid%20host&project={OURS}', [2, 1]),
        ):
            self.assertEqual(ids, self.listed(query), query)

    def test_pages(self):
        """Link each page to the next, which keeps the query."""
        seen, path = [], f'/v1/decisions?limit=2&project={OURS}'
        while path:
            body = self.ask(path, 'member')
            seen.append([each['id'] for each in body['decisions']])
            links = body.get('decisions_links', [])
            path = links[0]['href'] if links else None
        self.assertEqual([[4, 2], [1]], seen)
        self.assertNotIn('decisions_links', self.ask('/v1/decisions?limit=4'))

    def test_matches(self):
        """Count the decisions about a server or a request on each page."""
        for query, matches in (
            (f'?server={samples.SERVER}&limit=1', 3),
            (f'?server={samples.SERVER}&limit=1&marker=3', 3),
            ('?request=req-3', 1), ('?request=req-3&outcome=placed', 0),
            ('', None),
        ):
            body = self.ask(f'/v1/decisions{query}')
            self.assertEqual(matches, body.get('matches'), query)
        body = self.ask(f'/v1/decisions?server={samples.SERVER}', 'member')
        self.assertEqual(2, body['matches'])

    def test_member(self):
        """List members their project's; no other may be a marker."""
        self.assertEqual([4, 2, 1], self.listed(who='member'))
        self.assertEqual([3], self.listed(who='other'))
        self.assertEqual([], self.listed(f'?server={OTHER}', 'other'))
        self.refusal(f'/v1/decisions?project={THEIRS}', 'member', 403)
        told = self.refusal('/v1/decisions?marker=3', 'member')
        self.assertEqual(
            told.replace('3', '99'),
            self.refusal('/v1/decisions?marker=99', 'member'),
        )

    def test_sentences(self):
        """Name hosts and the scheduler to operators alone."""
        made = placed()
        made.at, made.project_id = at(5), OURS
        self.ship(made)
        for who, chosen, scheduler in (
            ('admin', 'compute-00002.example.org', 'ctl'),
            ('member', 'host 1', ''),
        ):
            first = self.ask('/v1/decisions?limit=1', who)['decisions'][0]
            self.assertTrue(
                first['sentence'].startswith(f'{chosen} chosen'), first
            )
            self.assertEqual(scheduler, first['scheduler'])

    def test_limit(self):
        """Tell operators alone to raise placement's limit."""
        self.ship(failed(
            at=at(5), placement=d.Placement('limit=3', 3, 3), user_id='x',
        ))
        number = self.listed()[0]
        for path in (
            explanation(), f'/v1/decisions/{number}',
            f'/v1/decisions/{number}/page',
        ):
            for who, told in (('admin', True), ('member', False)):
                text = str(self.ask(path, who))
                self.assertIn('all that max_placement_results', text)
                self.assertEqual(told, 'or raise [scheduler]' in text, path)

    def test_pages_by_bytes(self):
        """End a page before its limit, never empty, and link to the next."""
        self.patch(bodies, 'MAX_BYTES', 1)
        seen, path = [], '/v1/decisions?limit=1000'
        while path:
            body = self.ask(path)
            listed = [each['id'] for each in body['decisions']]
            self.assertEqual(1, len(listed))
            seen += listed
            links = body.get('decisions_links', [{}])
            path = links[0].get('href', '').removeprefix('http://localhost')
        self.assertEqual([4, 3, 2, 1], seen)

    def test_turn(self):
        """Put one long page together at a time; a short one waits for none."""
        self.patch(fair_share, 'TURN_S', 0.05)
        with decisions.TURN.take(is_long=True):
            self.ask('/v1/decisions?limit=8')
            told = self.refusal('/v1/decisions', status=503)
        self.assertIn('long requests are in progress', told)
        self.ask('/v1/decisions')

    def test_refused(self):
        """Refuse what is not known, repeated, or out of bounds."""
        for query in (
            'x=1', 'limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2',
            'marker=9223372036854775808', f'marker={"9" * 5000}',
            'server=x', 'outcome=x', 'request=%00',
        ):
            self.refusal(f'/v1/decisions?{query}')
        for path, known in (
            ('decisions', 'server, request, project'), ('filters', 'none'),
        ):
            self.assertIn(
                f'known are: {known}', self.refusal(f'/v1/{path}?x=1')
            )
        self.assertIn('is no decision', self.refusal(
            f'/v1/decisions?marker={2**63 - 1}'
        ))

    def test_show(self):
        """Show a decision; another project's is not there."""
        body = self.ask('/v1/decisions/2', 'member')['decision']
        self.assertEqual([OTHER], body['servers'])
        self.assertEqual(
            '0/3 hosts: 3 disabled (ComputeFilter)', body['sentence']
        )
        self.assertEqual(body['sentence'], body['explanation']['sentence'])
        self.assertEqual(
            self.refusal('/v1/decisions/3', 'member', 404),
            self.refusal('/v1/decisions/9', 'member', 404).replace('9', '3'),
        )

    def test_page(self):
        """Show a page of HTML, with names for who may see them."""
        page = self.ask('/v1/decisions/2/page', 'admin')
        self.assertEqual('text/html', self.headers['Content-Type'][:9])
        self.assertIn('compute-00001', page)
        self.assertNotIn(
            'compute-0', self.ask('/v1/decisions/2/page', 'member')
        )
        self.refusal('/v1/decisions/3/page', 'member', 404)
