"""Recording changes no decision: no host, no weight, no order."""

import logging
import os
import random

import fixtures
from nova import context as nova_context
from nova import objects
from nova.scheduler import manager as nova_manager
from testtools import testcase

from nova_ext.scheduler import manager
from tests.draws import place_drawn
from tests.functional import base, managers, novas

LONG = os.environ.get('HYPOTHESIS_PROFILE') == 'long'
#: Random requests to compare, each with up to three servers.
CASES = 5000 if LONG else 100
#: Requests in which some part of the recorder fails.
BROKEN_CASES = 200 if LONG else 6
#: Makes the seeds that our scheduler draws by.
SEED = 'nova_ext.scheduler.cycle.nova_source.generate_seed'

FILTERS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'DifferentHostFilter', 'SameHostFilter', 'SimpleCIDRAffinityFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'IoOpsFilter', 'NumInstancesFilter', 'JsonFilter',
    'AggregateInstanceExtraSpecsFilter', 'AggregateMultiTenancyIsolation',
    'IsolatedHostsFilter', 'NUMATopologyFilter', 'PciPassthroughFilter',
)


class Case:
    """One random request to one random cloud, made anew when asked.

    :param seed: what it is made from.
    """

    def __init__(self, seed):
        self.seed = seed

    def hosts(self):
        """Host states, some of them two nodes of a host."""
        chance = random.Random(self.seed)  # noqa: S311  not a secret
        poor = novas.aggregate('poor', ram_weight_multiplier='-2.0')
        other = novas.aggregate('other', filter_tenant_id='other')
        return [
            novas.host_state(
                f'host-{n // 2 if chance.random() < 0.2 else n}',
                f'node-{n}',
                cell=chance.choice(novas.CELLS),
                servers=chance.sample(['a', 'b', 'c', 'd'], 2),
                service={
                    'disabled': chance.random() < 0.1,
                    'forced_down': chance.random() < 0.1,
                },
                aggregates=chance.choice([[], [], [poor], [other]]),
                free_ram_mb=chance.choice([0, 4096, 4096, 16384]),
                free_disk_gb=chance.randrange(100),
                vcpus_used=chance.randrange(12),
                hypervisor_version=chance.choice([1000, 2000]),
                stats={
                    'io_workload': str(chance.randrange(10)),
                    'num_instances': str(chance.randrange(30)),
                    'failed_builds': str(chance.choice([0, 0, 3])),
                },
            )
            for n in range(chance.randrange(12))
        ]

    def request(self):
        """A request spec."""
        chance = random.Random(-self.seed)  # noqa: S311  not a secret
        fields = chance.choice([
            {}, {}, {'ignore_hosts': ['host-1', 'HOST-2']},
            {'force_hosts': ['host-0']}, {'force_nodes': ['node-3']},
            {'requested_destination': objects.Destination(host='host-1',
                                                          node=None)},
            {'instance_group': objects.InstanceGroup(
                uuid=novas.uuid_of('group'), policy='anti-affinity',
                policies=['anti-affinity'],
                rules={}, members=[novas.uuid_of('a')], hosts=[],
            )},
        ])
        hints = chance.choice([
            {}, {}, {'different_host': [novas.uuid_of('a')]},
            {'same_host': [novas.uuid_of('b')]},
            {'query': ['[">=", "$free_ram_mb", 4096]']},
            {'_nova_check_type': ['rebuild']},
        ])
        context = nova_context.RequestContext('user', novas.PROJECT)
        return novas.request_spec(context, hints, **fields)

    def decide(self, by):
        """Place up to three servers.

        :param by: a scheduler manager.
        :returns: for each server what passed, its weights and the order.
        """
        request = self.request()
        hosts = self.hosts()
        seen = []
        for index in range(1 + self.seed % 3):
            seed = 3 * self.seed + index
            passed = list(
                by.host_manager.get_filtered_hosts(hosts, request, index)
            )
            weighed = by.host_manager.get_weighed_hosts(passed, request)
            # Nova draws by the generator of the process, ours by its own.
            random.seed(seed)
            with fixtures.MonkeyPatch(SEED, lambda seed=seed: seed):
                hosts = by._get_sorted_hosts(request, hosts, index)
            seen.append((
                [host.nodename for host in passed],
                [(each.obj.nodename, each.weight) for each in weighed],
                [host.nodename for host in hosts],
            ))
            if not hosts:
                break
            hosts[0].consume_from_request(request)
        return seen


class NeutralTest(managers.ManagerTestCase):
    """The same requests to Nova's manager and to ours."""

    def setUp(self):
        """Nova's host manager, twice, and our scheduler manager."""
        super().setUp()
        self.flags(
            group='filter_scheduler', enabled_filters=list(FILTERS),
            max_io_ops_per_host=8, max_instances_per_host=25,
            weight_classes=[base.STOCK_WEIGHERS],
        )
        self.stock = nova_manager.SchedulerManager()
        self.flags(
            group='filter_scheduler', available_filters=[base.OUR_FILTERS],
            weight_classes=[base.OUR_WEIGHERS],
        )
        self.guest = nova_manager.SchedulerManager()
        self.ours = manager.SchedulerManager().decider
        self.addCleanup(base.wait_for_record, self)
        # Other fixtures take names of databases from the same chance.
        self.addCleanup(random.setstate, random.getstate())
        # Nova's tests format all lines at DEBUG, which takes most of the time.
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def by_stock(self, case):
        """What Nova decides, unrecorded."""
        return case.decide(self.stock)

    def by_guest(self, case):
        """What Nova decides with our filters and weighers."""
        return case.decide(self.guest)

    def by_ours(self, case):
        """What our scheduler decides, within a recorded request."""
        with managers.recording(case.request()):
            return case.decide(self.ours)

    def compare(self, cases, *ways):
        """Decide random cases in every way; all must agree with Nova."""
        placed = 0
        for seed in range(1, cases + 1):
            case = Case(seed)
            expected = self.by_stock(case)
            placed += bool(expected[0][2])
            for way in ways:
                self.assertEqual(
                    expected, way(case), f'case {seed}, {way.__name__}'
                )
        self.assertGreater(placed, cases / 5, 'hardly anything is compared')
        self.assertLess(placed, cases * 0.95)

    def test_ordered(self):
        """Nova's default choice: the best host."""
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=False
        )
        self.compare(CASES, self.by_ours, self.by_guest)
        base.wait_for_record(self)
        modes = {made.by['mode'] for made in base.read_decisions(self.record)}
        self.assertEqual({'plugin', 'scheduler'}, modes)

    @testcase.attr('slow')
    def test_shuffled(self):
        """Equal hosts shuffled and one of three taken: the same chance."""
        self.flags(
            group='filter_scheduler', host_subset_size=3,
            shuffle_best_same_weighed_hosts=True,
        )
        self.compare(CASES, self.by_ours, self.by_guest)

    @testcase.attr('slow')
    def test_drawn_again(self):
        """The record has what it takes to draw as Nova did."""
        for shuffled in (True, False):
            self.flags(
                group='filter_scheduler', host_subset_size=3,
                shuffle_best_same_weighed_hosts=shuffled,
            )
            found = [self.draw(seed) for seed in range(1, CASES // 4)]
            drawn = [each for each in found if each is not None]
            self.assertGreater(len(drawn), 2)
            for first, draw in drawn:
                self.assertEqual(first, draw.hosts[place_drawn(draw)], draw)

    def draw(self, seed):
        """Have our manager draw for a random case.

        :returns: the first host and the draw; None where there was none.
        """
        case = Case(seed)
        request = case.request()
        with managers.recording(request):
            self.ours._get_sorted_hosts(request, case.hosts(), 0)
        base.wait_for_record(self)
        (attempt,) = base.read_decisions(self.record)[-1].attempts
        return attempt.draw and (attempt.ranked[0], attempt.draw)

    def test_not_recording(self):
        """With the record switched off."""
        self.flags(enabled=False, group='nova_ext_record')
        self.compare(BROKEN_CASES, self.by_ours, self.by_guest)

    def test_failing(self):
        """With a recorder that fails in one part after the other."""
        for part in (
            'nova_ext.record.writer.Writer.put',
            'nova_ext.scheduler.facts.nova_facts.NovaFacts.list_all_hosts',
            'nova_ext.scheduler.facts.nova_facts.NovaFacts.list_disabled_services',
            'nova_ext.scheduler.trace.request_facts.describe_request',
            'nova_ext.scheduler.completion.recorder.get',
            'nova_ext.scheduler.plugins.plugin_mode.sequence._open',
            'nova_ext.scheduler.plugins.plugin_mode.open_requests.add',
            'nova_ext.scheduler.plugins.plugin_mode.request._Attempt.find_taken',
            'nova_ext.scheduler.plugins.plugin_mode.request.PluginModeRequest.close',
            'nova_ext.scheduler.plugins.traced.derive',
            'nova_ext.scheduler.trace.attempt.name_host',
            'nova_ext.scheduler.trace.attempt.AttemptTrace._add',
            'nova_ext.scheduler.trace.attempt.AttemptTrace.finish',
            'nova_ext.scheduler.trace.attempt.host_key',
            'nova_ext.scheduler.trace.trace.Trace.close',
            'nova_ext.scheduler.trace.weighings.Weighing',
            'nova_ext.scheduler.explainers._limit',
            'nova_ext.scheduler.trace.request_facts.digest_configuration',
            'nova_ext.scheduler.trace.trace.Stages.lap',
            'nova_ext.scheduler.trace.weighings.RawWeights',
            'nova_ext.scheduler.trace.weighings.Weighings.summarize',
            'nova_ext.scheduler.trace.weighings.host_key',
        ):
            with fixtures.MonkeyPatch(part, _fail):
                self.compare(BROKEN_CASES, self.by_ours, self.by_guest)


class FailingRecorderTest(base.CloudTestCase):
    """In the cloud, where placement is asked and hosts are claimed."""

    hosts = ('cmp-1', 'cmp-2')

    def test_boots(self):
        """Every boot succeeds, whatever part of the recorder fails."""
        self.flags(log_requests=True, group='nova_ext')
        for part in (
            'nova_ext.scheduler.completion.recorder.get',
            'nova_ext.scheduler.trace.request_facts.describe_prefilters',
            'nova_ext.core.request.masking.mask_dict_password',
            'nova_ext.scheduler.trace.trace.decisions.ClaimResult',
        ):
            with fixtures.MonkeyPatch(part, _fail):
                self.boot()


def _fail(*args, **kwargs):
    raise ZeroDivisionError('in the recorder')
