"""Boots through our scheduler manager, and what is recorded of them."""

import threading
from importlib import metadata

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.explanation.explain import explain
from nova_ext.record import file
from nova_ext.scheduler.completion import recorder
from tests.draws import place_drawn
from tests.functional import base


class BootTest(base.CloudTestCase):
    """The default driver decides as Nova does."""

    def test_requested_host(self):
        """The hint places a server on the host it names.

        An unknown host ends in ERROR, and the record says why.
        """
        for host in ('cmp-2', 'CMP-3'):
            server = self.boot({'requested_host': host})
            self.assertEqual(host.lower(), self.host_of(server))
        server = self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR'
        )
        _, _, decision = self.decisions()
        self.assertEqual([server['id']], decision.servers)
        self.assertEqual('no valid host', decision.outcome)
        (attempt,) = decision.attempts
        last = attempt.steps[-1]
        self.assertEqual(('SpecifiedHostFilter', 3, 0),
                         (last.name, last.hosts_in, last.hosts_out))
        (rejection,) = last.rejections
        self.assertEqual('requested_host is no-such-host', rejection.reason)
        self.assertEqual([], attempt.unasked)
        self.assertIn(
            'without SpecifiedHostFilter 3 hosts would have passed all '
            'filters', explain(decision).notes,
        )
        self.assertEqual(3, decision.hosts_total)

        # Nova's API drops its own hints, or else this would be a rebuild.
        self.boot({'_nova_check_type': 'rebuild', 'requested_host': 'cmp-2'})
        decision = self.decisions()[-1]
        self.assertEqual(
            {'requested_host': ['cmp-2']}, decision.request['hints']
        )
        self.assertEqual('first boot', decision.operation)

    def test_success_is_recorded(self):
        """The record holds candidates, weighers, claim and alternates."""
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=True
        )
        server = self.boot()
        (decision,) = self.decisions()
        self.assertEqual('placed', decision.outcome)
        self.assertEqual('first boot', decision.operation)
        self.assertEqual(3, decision.placement.candidates)
        chosen = decision.chosen[server['id']]
        self.assertEqual(self.host_of(server), chosen[0])
        self.assertEqual(3, len(chosen))
        (claim,) = decision.claims
        self.assertEqual((chosen[0], True), (claim.host, claim.claimed))
        self.assertEqual({
            'nova': metadata.version('nova'),
            'nova_ext': metadata.version('nova-ext'),
        }, {name: decision.by[name] for name in ('nova', 'nova_ext')})
        (attempt,) = decision.attempts
        names = [w.name for w in attempt.weighers]
        self.assertIn('RAMWeigher', names)
        self.assertIn('SpecifiedHostWeigher', names)
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(3, decision.placement.requests)
        self.assertEqual((None, None), (decision.hosts_total, decision.absent))
        # The hosts are the same; nothing but chance tells them apart.
        draw = attempt.draw
        self.assertEqual((3, 3), (attempt.equal, draw.count))
        self.assertEqual(set(self.hosts), set(draw.hosts))
        self.assertEqual(chosen[0], draw.hosts[place_drawn(draw)])
        self.assertIn(
            'drawn by chance from 3 of equal weight, with seed '
            f'{draw.seed}', explain(decision).sentence,
        )

    def test_weights_are_told(self):
        """Raw and normalised, multiplied; who would win without one."""
        self.flags(ram_weight_multiplier=-20.0, group='filter_scheduler')
        first = self.host_of(self.boot())
        second = self.host_of(self.boot())
        self.assertEqual(first, second, 'hosts with less memory win')
        (attempt,) = self.decisions()[-1].attempts
        self.assertEqual((1, None), (attempt.equal, attempt.draw))
        others = set(self.hosts) - {first}
        parts = {
            host: {
                part.weigher: part
                for part in weigher_contributions.get_contributions(
                    attempt.weighers, host
                )
            }
            for host in self.hosts
        }
        for host in others:
            ram = parts[host]['RAMWeigher']
            self.assertEqual((1.0, -20.0, -20.0),
                             (ram.normalised, ram.multiplier, ram.amount))
        self.assertLess(parts[first]['RAMWeigher'].normalised, 1.0)
        without = {w.name: set(w.without) for w in attempt.weighers}
        self.assertEqual(others, without['RAMWeigher'])
        self.assertEqual(set(), without['CPUWeigher'])
        (note,) = (
            note for note in explain(self.decisions()[-1]).notes
            if note.startswith('without RAMWeigher ')
        )
        for host in others:
            self.assertIn(host, note)

    def test_stages_and_configuration(self):
        """What took how long, and under which configuration."""
        # Nova forks its workers after it has built the manager.
        self.assertEqual(0, recorder.get.cache_info().currsize)
        self.assertFalse(self.record.exists())
        self.boot()
        self.decisions()  # the next recorder waits for none but its own
        self.flags(host_subset_size=2, group='filter_scheduler')
        recorder.get.cache_clear()  # as a restart does
        self.boot()
        before, after = self.decisions()
        # What takes next to no time may be left out.
        self.assertLessEqual(
            {'placement', 'hosts', 'claims'}, set(before.stages)
        )
        self.assertAlmostEqual(
            before.seconds, sum(before.stages.values()), delta=0.001
        )
        self.assertNotEqual(
            before.by['configuration'], after.by['configuration']
        )

    def test_scheduler_ends(self):
        """What was decided last is in the record when the service ends."""
        # From Nova 34 on a service waits for its manager, and no longer.
        if hasattr(self.scheduler, '_wait_for_in_progress_tasks'):
            self.flags(manager_shutdown_timeout=60)
        # On a busy machine the five seconds pass before the disk is asked.
        self.stub_out('nova_ext.scheduler.shutdown.WRITE_S', 30)
        # The disk is slow.
        written = threading.Event()
        append = file.RecordFile.append
        self.stub_out(
            'nova_ext.record.file.RecordFile.append',
            lambda *args: written.wait() and append(*args),
        )
        server = self.boot()
        self.assertFalse(self.record.exists())
        threading.Timer(0.5, written.set).start()
        self.scheduler_service.stop()
        (decision,) = base.read_decisions(self.record)
        self.assertEqual([server['id']], decision.servers)

    def test_before_the_filters(self):
        """No host reaches them with a flavor that is too big for any.

        What prefilters added to a request is told; a note says it where it
        is not as ever.
        """
        flavor = self._create_flavor(memory_mb=30000)
        self.boot(flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
                  expected_state='ERROR')
        (decision,) = self.decisions()
        self.assertEqual(0, decision.placement.candidates)
        self.assertEqual(
            ('no candidate from placement', 3),
            (decision.absent.reason, decision.absent.count),
        )
        self.assertEqual([], decision.attempts)

        aggregate = self.admin_api.post_aggregate({'aggregate': {
            'name': 'rack-7', 'availability_zone': 'rare',
        }})
        self.add_to_aggregate(aggregate['id'], 'cmp-2')
        self.boot()
        self.boot(availability_zone='rare')
        _, usual, rare = self.decisions()
        for each in (usual, rare):
            self.assertIn('COMPUTE_STATUS_DISABLED',
                          each.prefilters['forbidden_traits'])
        self.assertNotIn('aggregates', usual.prefilters)
        self.assertEqual([aggregate['uuid']], rare.prefilters['aggregates'])
        note = f'prefilters added a host of aggregate {aggregate["uuid"]}'
        self.assertNotIn('prefilters added', ' '.join(explain(usual).notes))
        self.assertIn(note, explain(rare).notes)
        self.assertNotIn(note, explain(rare, hosts=False).notes)

        # One that fails: placement is not asked.
        self.flags(
            group='scheduler',
            limit_tenants_to_placement_aggregate=True,
            placement_aggregate_required_for_tenants=True,
        )
        self.boot(expected_state='ERROR')
        decision = self.decisions()[-1]
        self.assertEqual('no valid host', decision.outcome)
        self.assertIn('No hosts available for tenant', decision.message)
        self.assertIsNone(decision.placement)
        self.assertEqual(
            ('placement was not asked', 3),
            (decision.absent.reason, decision.absent.count),
        )
