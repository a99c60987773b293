"""IPScheduler: hosts by the client's address, as a proxy tells it."""

import re

from testtools import testcase

from tests.functional import base

DOC, OPS, ELSEWHERE = '10.1.5.5', '10.2.0.9', '192.0.2.1'


class IPSchedulerTest(base.CloudTestCase):
    """The documented rules, on a cloud of three groups."""

    hosts = ('doc-1', 'doc-2', 'ops-1', 'dev-1', 'dev-2')
    drivers = ('IPScheduler',)

    def configure(self):
        """Believe the proxy; a rule that no host satisfies; IPv6; no quota."""
        base.trust_proxies()
        self.flags(enable_proxy_headers_parsing=True, group='oslo_middleware')
        self.flags(group='nova_ext_ip_scheduler', rules=[
            '10.1.0.0/16=doc', '10.2.0.0/16=ops', '2001:db8::/32=ops',
            '10.3.0.0/16=gone',
        ])
        self.flags(instances=-1, group='quota')

    def boot_from(self, address, hints=None, **kwargs):
        """Boot as a client of an address.

        :returns: the server, and the prefix of its host.
        """
        server = self.boot(hints, api=self.client(address=address), **kwargs)
        host = self.host_of(server) or ''
        return server, host.partition('-')[0]

    def test_groups(self):
        """Each client's servers go to its own group, as the log says."""
        log = self.request_log()
        for address, group in (
            (DOC, 'doc'), (OPS, 'ops'), (ELSEWHERE, 'dev'),
            ('2001:db8::7', 'ops'),
            # The proxy's own element is the last; the first is a claim.
            (f'{OPS}, {DOC}:4711', 'doc'),
            ('unknown', 'dev'),
        ):
            self.assertEqual(group, self.boot_from(address)[1], address)
        decision = self.decisions()[0]
        line, _ = re.findall(
            f'INFO nova_ext.drivers.ip .*Request from {DOC} .*', log.output
        )
        self.assertIn(decision.request_id, line)
        self.assertIn(f'Request from {DOC} scheduled to doc-', line)
        self.assertIn(
            'No readable client address in \'unknown\': the default group',
            log.output,
        )
        (chosen,) = decision.chosen.values()
        self.assertEqual({'doc-1', 'doc-2'}, set(chosen), 'with alternates')
        step = decision.attempts[0].steps[-1]
        self.assertEqual(('IPScheduler', 'driver'), (step.name, step.kind))
        (rejection,) = step.rejections
        self.assertEqual(3, rejection.count)
        self.assertEqual(
            'not doc* (rule 10.1.0.0/16=doc)', rejection.reason
        )

        servers = self.boot_many(3, api=self.client(address=DOC))
        self.assertEqual(
            {'doc'}, {self.host_of(s).partition('-')[0] for s in servers}
        )

        # No fallback to another group; log and record name the rule.
        server, _ = self.boot_from('10.3.0.1', expected_state='ERROR')
        self.assertIn('No valid host', server['fault']['message'])
        rule = '(rule 10.3.0.0/16=gone)'
        self.assertIn(
            f'No host gone* among the 5 that passed the filters {rule}',
            log.output,
        )
        decision = self.decisions()[-1]
        self.assertEqual('no valid host', decision.outcome)
        (rejection,) = decision.attempts[0].steps[-1].rejections
        self.assertEqual(
            (5, f'not gone* {rule}'), (rejection.count, rejection.reason)
        )

        # A host that was forced or requested by Nova's means is kept.
        for asked in ({'availability_zone': 'nova:ops-1'},
                      {'host': 'dev-1'}):
            server, _ = self.boot_from(DOC, **asked)
            self.assertEqual(
                next(iter(asked.values())).removeprefix('nova:'),
                self.host_of(server),
            )

    @testcase.attr('slow')
    def test_servers_stay_in_their_group(self):
        """Whoever moves, unshelves or rebuilds them, from wherever."""
        server, _ = self.boot_from(DOC)
        admin = self.client(address=OPS)
        home = self.host_of(server)
        self._migrate_server(server, api=admin)
        self._confirm_resize(server)
        away = self.host_of(server)
        self.assertEqual({'doc-1', 'doc-2'}, {home, away})

        self._shelve_server(server)
        self.disable(away)
        self.act(server, 'unshelve', api=admin)
        self._wait_for_state_change(server, 'ACTIVE')
        self.assertEqual(home, self.host_of(server))

        self.assertEqual('return', self.decisions()[-1].operation)

        image = self.other_image(server)
        self.act(server, 'rebuild', {'imageRef': image}, api=admin)
        self.wait_for(
            lambda: self.admin_api.get_server(server['id'])['status']
            == 'ACTIVE', 'the rebuild',
        )
        self.assertEqual('rebuild', self.decisions()[-1].operation)
        self.assertEqual(home, self.host_of(server))
        self.disable(away, False)

        # Nova forgets the host of a volume-backed server as it is shelved.
        server, _ = self.boot_from(OPS, **self.from_volume())
        self._shelve_server(server)
        self.act(server, 'unshelve', api=self.client(address=DOC))
        self._wait_for_state_change(server, 'ACTIVE')
        self.assertEqual('ops-1', self.host_of(server))
