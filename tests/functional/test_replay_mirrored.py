"""What the mirror decides again is what it decided."""

from nova_ext.scheduler.journal import journal
from nova_ext.scheduler.mirror import journaled_hosts
from tests.functional import base, novas, test_replay
from tests.functional.mirrored import MirroredTestCase


class MirroredReplayTest(test_replay.ReplayTestCase, MirroredTestCase):
    """Three hosts with room for two servers each, which are filled up."""

    hosts = MirroredTestCase.hosts
    weight_classes = (base.STOCK_WEIGHERS,)

    def configure(self):
        """Fill one host after the other."""
        MirroredTestCase.configure(self)
        test_replay.ReplayTestCase.configure(self)
        journaled_hosts._get_packer.cache_clear()
        self.addCleanup(journaled_hosts._get_packer.cache_clear)
        self.flags(
            group='filter_scheduler', ram_weight_multiplier=-1.0,
            io_ops_weight_multiplier=0.0,
        )

    def read_decisions(self):
        """Return the journal's decisions; all are exact, and as they were."""
        status, document = self.replay('--verify')
        _, decisions = self.read_journal()
        self.assertEqual(0, status, document['verification'])
        self.assert_verified(document, at_least=len(decisions))
        return decisions

    def test_several_servers(self):
        """A host takes no more than it has room for."""
        self.place()
        self.mirror.refresh()
        servers = self.boot_many(3)
        self.assert_decided(self.read(servers[0]))
        _, decision = self.read_decisions()
        self.assertTrue(decision.mirrored)
        self.assertEqual([1, 2, 2], sorted(decision.room))
        self.assertEqual(
            [self.host_of(server) for server in servers],
            [offer[0][0] for offer in decision.destinations],
        )

    def test_group(self):
        """Hosts have the servers that they had before the decision."""
        group = self.api.post_server_groups(
            {'name': 'g', 'policy': 'soft-anti-affinity'}
        )['id']
        # Nova trusts a compute that has told of servers twice.
        before = set()
        for host in self.hosts:
            kept, gone = (
                self.boot({'requested_host': host}) for _ in range(2)
            )
            self._delete_server(gone)
            before.add(kept['id'])
        known = self.scheduler.host_manager._instance_info
        self.wait_for(lambda: all(
            known.get(host, {}).get('updated')
            and not known[host]['instances'].keys() - before
            for host in self.hosts
        ), 'servers that computes tell of')
        for _ in range(2):
            _, decision = self.place(hints={'group': group})
            self.assert_decided(decision)
        for decision in self.read_decisions()[-2:]:
            for host in decision.hosts:
                (server,) = host.values['instances']
                self.assertIn(server, before)

    def test_refused(self):
        """A claim that placement refused is refused again."""
        self.mirror.refresh()
        full = self.hosts[:2]
        for number, host in enumerate(full):
            self.change_placement('put', (
                f'/allocations/{novas.uuid_of(str(number))}'
            ), {
                'allocations': {self._get_provider_uuid_by_host(host): {
                    'resources': {'VCPU': 2},
                }}, 'project_id': 'p', 'user_id': 'u',
                'consumer_generation': None,
            })
        (server,), decision = self.place(refresh=False)
        self.assert_decided(decision)
        (decision,) = self.read_decisions()
        self.assertEqual(self.hosts[2], decision.destinations[0][0][0])
        self.assertEqual(
            [(host, False) for host in full if host in {
                claim.host for claim in decision.claims
            }], sorted(
                (claim.host, claim.claimed) for claim in decision.claims
            )[:-1],
        )
        self.assertEqual(self.hosts[2], self.host_of(server))

    def test_read_again(self):
        """Hosts that change between two servers make a decision partial."""
        self.mirror.refresh()
        self.boot()  # the mirror does not know yet what is on its host
        self.boot_many(2)
        self.assertTrue(journal.get().flush(60))
        _, decisions = self.read_journal()
        self.assertEqual(
            [[], ['hosts that were read again after they were ranked']],
            [list(decision.missing) for decision in decisions],
        )
