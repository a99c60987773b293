"""How a request ends in a stock nova-scheduler, and what its record says."""

import gc
import threading
import time
import weakref

import fixtures
from keystoneauth1 import exceptions as ks_exceptions
from nova.scheduler import filters, weights
from testtools import testcase

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.plugins.plugin_mode import open_requests
from tests.functional import base

#: What runs when the filter below has filtered: what others do meanwhile.
meanwhile = []


class MeanwhileFilter(filters.BaseHostFilter):
    """Pass every host, while others use the cloud."""

    def filter_all(self, hosts, spec):
        """Let others do what they do."""
        hosts = list(hosts)
        for act in meanwhile:
            act(hosts)
        return hosts


class NameWeigher(weights.BaseHostWeigher):
    """Weigh most the host whose name comes last."""

    def _weigh_object(self, host, properties):
        return float(host.host[-1])


class OddWeigher(weights.BaseHostWeigher):
    """Weigh as a test says."""

    #: What each host weighs, or a function that returns it.
    odd = 0.0

    def _weigh_object(self, host, properties):
        return self.odd() if callable(self.odd) else self.odd


class EndsTest(base.CloudTestCase):
    """A request's end is seen, though no filter is told."""

    manager = None
    available_filters = (
        base.OUR_FILTERS, f'{__name__}.{MeanwhileFilter.__name__}',
    )
    weight_classes = (f'{__name__}.{NameWeigher.__name__}',)
    enabled_filters = ('ComputeFilter', 'MeanwhileFilter')

    def setUp(self):
        """Have nobody else use the cloud."""
        super().setUp()
        self.addCleanup(meanwhile.clear)

    def fill(self, *hosts):
        """Leave no memory on hosts, in placement."""
        for host in hosts:
            uuid = self._get_provider_uuid_by_name(host)
            inventories = self._get_provider_inventory(uuid)
            memory = inventories['MEMORY_MB']
            memory['reserved'] = memory['total'] - 1
            provider = self.placement.get(f'/resource_providers/{uuid}').body
            self._update_inventory(uuid, {
                'resource_provider_generation': provider['generation'],
                'inventories': inventories,
            })

    def explain(self, server=''):
        """The sentence and notes of the newest decision."""
        decision = self.decisions()[-1]
        return decision, explain(decision, server)

    def test_closed_without_a_next_request(self):
        """The record is written though nothing else happens.

        No trace outlives its decision in a thread that waits.
        """
        opened = []
        meanwhile.append(lambda hosts: opened.append(
            weakref.ref(cycle.get_trace())
        ))
        server = self.boot()
        deadline = time.monotonic() + 60
        while not self.record.exists():
            self.assertLess(time.monotonic(), deadline, 'not recorded')
            time.sleep(0.05)
        (decision,) = self.decisions()
        self.assertEqual({server['id']: ['cmp-3']}, decision.chosen)
        self.assertEqual(
            'cmp-3 chosen from 3 of 3 hosts that reached the filters',
            explain(decision).sentence,
        )
        self.assertEqual([], [
            note for note in explain(decision).notes if 'not seen' in note
        ])
        # No time in which nothing was seen is told as a stage's.
        self.assertLessEqual(set(decision.stages), {'filters', 'weighers'})
        gc.collect()
        self.assertEqual([None], [reference() for reference in opened])

        # A single forced host runs neither filters nor weighers.
        server = self.boot(availability_zone='nova:cmp-2')
        self.boot()
        decisions = self.decisions()
        self.assertEqual(2, len(decisions))
        self.assertNotIn(server['id'], decisions[-1].servers)

    @testcase.attr('slow')
    def test_slow_request(self):
        """A request that takes long is not closed before it ends."""
        looked = []

        def wait(hosts):
            time.sleep(5 * open_requests.INTERVAL_S)
            looked.append(open_requests.get_own().closed)

        meanwhile.append(wait)
        self.boot_many(2)
        self.assertEqual([False] * 3, looked)
        (decision,) = self.decisions()
        self.assertEqual(3, len(decision.attempts))

    def test_filter_that_counts_otherwise(self):
        """What a filter writes to host states is taken for no server."""
        for number in (-3, 7):
            def write(hosts, number=number):
                for host in hosts:
                    host.num_instances = number

            meanwhile[:] = [write]
            server = self.boot()
            decision, explained = self.explain()
            self.assertEqual({server['id']: ['cmp-3']}, decision.chosen)
            self.assertEqual('placed', explained.outcome)

    def test_claims_refused(self):
        """Hosts passed and were not taken; nothing is told as passed.

        Where another host was taken than the heaviest, it is noted.
        """
        meanwhile.append(lambda hosts: self.fill('cmp-3'))
        server = self.boot()
        decision, explanation = self.explain()
        self.assertEqual({server['id']: ['cmp-2']}, decision.chosen)
        self.assertEqual(
            ['cmp-3', 'cmp-2', 'cmp-1'], decision.attempts[0].ranked
        )
        self.assertIn(
            'not seen: why cmp-2 was taken though cmp-3 weighed more; '
            'placement may have refused a claim, or Nova drew from '
            'host_subset_size hosts', explanation.notes,
        )

        log = self.request_log()
        meanwhile[:] = [lambda hosts: self.fill(*self.hosts)]
        server = self.boot(expected_state='ERROR')
        decision, explanation = self.explain(server['id'])
        self.assertEqual('no valid host', decision.outcome)
        self.assertEqual(
            '0/3 hosts: 1 did not reach the filters, 2 passed and not taken, '
            'why was not seen',
            explanation.sentence,
        )
        self.assertIn(
            'not seen: which claims placement refused; nova-scheduler logs '
            'each as "Failed to save allocation for" the server, '
            'nova-ext-scheduler records them', explanation.notes,
        )
        self.assertIn(
            f'Failed to save allocation for {server["id"]}', log.output
        )

    def test_later_server_finds_no_host(self):
        """A request is placed as a whole: no server of it passed."""
        def take_all(hosts):
            if any(host.num_instances for host in hosts):
                hosts.clear()

        meanwhile.append(take_all)
        servers = self.boot_many(3, expected_state='ERROR')
        decisions = self.decisions()
        self.assertEqual(
            ['no valid host'], [each.outcome for each in decisions]
        )
        self.assertEqual(
            'none of 3 servers, since a request is placed as a whole and its '
            'server 2 found no host: 0/3 hosts: 3 rejected by '
            'MeanwhileFilter',
            explain(decisions[0], servers[0]['id']).sentence,
        )
        self.assertEqual({}, decisions[0].chosen)

    def test_later_claim_refused(self):
        """The same where the second server's claims are refused."""
        def fill(hosts):
            if any(host.num_instances for host in hosts):
                self.fill(*self.hosts)

        meanwhile.append(fill)
        servers = self.boot_many(2, expected_state='ERROR')
        (decision,) = self.decisions()
        self.assertEqual('no valid host', decision.outcome)
        self.assertEqual(
            'none of 2 servers, since a request is placed as a whole and its '
            'server 2 found no host: 0/3 hosts: 3 passed and not taken, why '
            'was not seen', explain(decision, servers[1]['id']).sentence,
        )

    def test_alternates(self):
        """That Nova finds no alternates afterwards is no failure."""
        seen = []

        def reject(hosts):
            seen.append(len(hosts))
            if len(seen) > 2:
                hosts.clear()

        meanwhile.append(reject)
        servers = self.boot_many(2)
        self.assertEqual([3, 3, 3], seen)
        (decision,) = self.decisions()
        self.assertEqual('placed', decision.outcome)
        self.assertEqual(
            {server['id']: [self.host_of(server)] for server in servers},
            decision.chosen,
        )

    @testcase.attr('slow')
    def test_many_at_once(self):
        """Each thread's request is a decision of its own."""
        created = [
            self.api.post_server({'server': self._build_server(
                networks='none', flavor_id='1', image_uuid=base.IMAGE
            )}) for _ in range(6)
        ]
        for server in created:
            self._wait_for_state_change(server, 'ACTIVE')
        decisions = self.decisions()
        self.assertEqual(
            {server['id']: self.host_of(server) for server in created},
            {each.servers[0]: each.chosen[each.servers[0]][0]
             for each in decisions},
        )
        self.assertEqual(6, len(decisions))

        # A claim that raises ends the request; nothing was taken.
        self.useFixture(fixtures.MonkeyPatch(
            'nova.scheduler.client.report.SchedulerReportClient.'
            'claim_resources', _raise_failure,
        ))
        self.boot(expected_state='ERROR')
        decision, explanation = self.explain()
        self.assertEqual('no valid host', decision.outcome)
        self.assertTrue(
            explanation.sentence.startswith('0/3 hosts: 3 passed and not '),
            explanation.sentence,
        )


def _raise_failure(*args, **kwargs):
    raise ks_exceptions.ConnectFailure('placement is away')


class OddWeigherTest(base.CloudTestCase):
    """A weigher of another package answers with what Nova can't use."""

    manager = None
    weight_classes = (
        base.STOCK_WEIGHERS, f'{__name__}.{OddWeigher.__name__}',
    )
    enabled_filters = ('ComputeFilter',)

    def explain_failure(self, odd):
        """Boot with a weight, and return the sentence of the failure."""
        self.patch(OddWeigher, 'odd', odd)
        self.boot(expected_state='ERROR')
        decision = self.decisions()[-1]
        self.assertEqual('failed', decision.outcome)
        return explain(decision).sentence

    def test_no_number(self):
        """It is named, with what it returned."""
        for odd, text in ((None, 'None'), ('heavy', '\'heavy\'')):
            sentence = self.explain_failure(odd)
            self.assertEqual(
                f'0/3 hosts, weigher OddWeigher returned {text}, which is no '
                f'number: 3 passed and left untried', sentence,
            )

    def test_error(self):
        """It is named, with the error."""
        def fail():
            raise ZeroDivisionError

        self.assertIn(
            'weigher OddWeigher raised ZeroDivisionError',
            self.explain_failure(staticmethod(fail)),
        )

    def test_no_end(self):
        """It is recorded while it runs."""
        self.patch(open_requests, 'GIVE_UP_S', 0.5)
        ended = threading.Event()
        self.addCleanup(ended.set)
        self.patch(
            OddWeigher, 'odd', staticmethod(lambda: ended.wait(60) * 1.0)
        )
        created = self.api.post_server({'server': self._build_server(
            networks='none', flavor_id='1', image_uuid=base.IMAGE
        )})
        self.wait_for(self.record.exists, 'a record')
        self.assertIn(
            ', weigher OddWeigher has not ended, 0.5 s on: ',
            explain(base.read_decisions(self.record)[0]).sentence,
        )
        ended.set()
        self._wait_for_state_change(created, 'ACTIVE')
