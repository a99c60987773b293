"""Time the loss of each rack of a published trace's cloud, one by one.

The hosts are those of the NUMA trace (tests/bench/traces), with both NUMA
nodes of a host added up. Its requests fill them as ``nova-ext replay
--rolling`` places them, with server groups and fault domains, up to the first
refusal for want of room: one outside affinity groups, each of which ends as
its one host is full. The servers are copies, in the databases, of some that
Nova booted: one of each flavor and policy. Then the engine decides each loss,
as ``survive --lose any-rack`` asks for it; Nova's code decides the worst one,
too, and has to bring back as many. Run it with ``tox -e bench`` or ``python -m
tests.bench.racks``; ``--quick`` has 60 hosts.
"""

import dataclasses
import json
import logging
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path

import tests.bench.untraced  # noqa: F401  before all of Nova
from nova_ext import client
from nova_ext.core.decision.fallback import Fallback
from nova_ext.core.rpc.rehearsal import MoveOutcome
from nova_ext.osc import losses as losses_table
from tests.bench import crowd, server_rows, survive
from tests.bench.traces import __main__ as traces
from tests.bench.traces import tables
from tests.functional_rpc import what_if

QUICK_HOSTS = 60
#: Of the requests; refusals begin before.
PART = 0.5
SHOWN = 10
#: Name of the extra spec, without the prefix of a table's column.
DOMAIN = tables.DOMAIN.removeprefix('extra_spec:')


class RacksBench(survive.SurviveBench):
    """Run one compute service, with the trace's hosts in the databases."""

    enabled_filters = traces.FILTERS
    #: It has one server of each kind at the same time.
    host = {'vcpus': 8192, 'memory_mb': 2 ** 25, 'local_gb': 20000}  # noqa: RUF012
    size = None

    def configure(self):
        """Offer all of each host, as the trace has what is free."""
        super().configure()
        self.flags(
            ram_allocation_ratio=1.0, disk_allocation_ratio=1.0,
            reserved_host_memory_mb=0,
        )
        self.flags(
            group='quota', server_groups=-1, server_group_members=-1
        )

    def runTest(self):  # noqa: N802  unittest's name
        """Fill the hosts; lose each rack."""
        logging.disable(logging.DEBUG)
        hosts, requests = tables.make_numa(self.size)
        placed, refused = place(hosts, requests[:int(PART * len(requests))])
        names, servers = self.fill_as_placed(
            self.scheduler._mirror, hosts, placed
        )
        racks, of_host = {}, tables.read_racks()
        for host in hosts:
            racks.setdefault(f'rack {of_host[host["name"]]}', []).append(
                names[host['name']]
            )
        print(
            f'{len(hosts)} hosts in {len(racks)} racks, {servers} servers: '
            f'{_tell_part(hosts, placed, "vcpus")} of the vCPUs, '
            f'{_tell_part(hosts, placed, "memory_mb")} of the memory; '
            f'{sum(bool(each["group"]) for each, _ in placed)} servers are in '
            f'{len({each["group"] for each, _ in placed} - {""})} groups, '
            f'{sum(each[tables.DOMAIN] != "" for each, _ in placed)} name a '
            f'fault domain; {refused} others found no room on their affinity '
            f'group\'s host',
            flush=True,
        )
        self.program = client.SchedulerClient(what_if.URL, timeout_s=600)
        self.addCleanup(self.program.close)
        began, processor = time.monotonic(), time.process_time()
        losses = self.lose_each(racks)
        took, used = time.monotonic() - began, time.process_time() - processor
        self.assertEqual(servers, sum(loss.servers for loss in losses))
        show(losses, took, used)
        self.assertEqual([], [loss for loss in losses if loss.undecided])
        self.compare(racks, losses)

    def compare(self, racks, losses):
        """Have Nova's code decide the worst loss, as far as an answer goes."""
        loss = max(losses, key=lambda each: each.no_host)
        engine, engine_s = self.rehearse(racks[loss.lost], loss.order)
        self.assertTrue(all(move.by_engine for move in engine))
        self.scheduler._mirror.off = Fallback.DIFFERED
        nova, nova_s = self.rehearse(racks[loss.lost], loss.order)
        self.assertFalse(any(move.by_engine for move in nova))
        back, by_engine = (
            [move.outcome for move in moves].count(MoveOutcome.PLACED)
            for moves in (nova, engine[:len(nova)])
        )
        same = sum(
            (one.outcome, one.host) == (other.outcome, other.host)
            for one, other in zip(nova, engine, strict=False)
        )
        print(
            f'{loss.lost} by Nova\'s code: {back} of {len(nova)} servers '
            f'back, {same} decided as by the engine, hosts included; '
            f'{1000 * nova_s / len(nova):.0f} ms of the processor each, '
            f'{nova_s / len(nova) / (engine_s / len(engine)):.0f} times as '
            f'much', flush=True,
        )
        # Each takes another one of hosts that weigh the same.
        self.assertEqual(by_engine, back)

    def rehearse(self, hosts, order):
        """Return the moves of one answer, and seconds of the processor."""
        began = time.process_time()
        moves = self.program.rehearse(self.me, client.RehearsalRequest(
            hosts, True, order
        )).moves
        return moves, time.process_time() - began

    def fill_as_placed(self, mirror, hosts, placed):
        """Make hosts and servers.

        :param placed: requests, each with the name of its host in the trace.
        :returns: the hosts' names here, by those in the trace; the number of
            servers.
        """
        mirror.refresh()
        aggregates = self.add_domains()
        templates = self.boot_templates(request for request, _ in placed)
        names = dict(zip(
            (host['name'] for host in hosts),
            crowd.multiply('cmp', len(hosts) + 1), strict=True,
        ))
        sizes = {names[host['name']]: {
            'VCPU': host['vcpus'], 'MEMORY_MB': host['memory_mb'],
        } for host in hosts}
        self.disable('cmp')
        crowd.resize('cmp', sizes)
        copies = make_copies(templates, placed, names)
        servers, used = server_rows.add('cmp', list(sizes), copies)
        server_rows.add_groups(copies)
        manager = self.scheduler.host_manager
        crowd.replace_in_aggregates(manager, {
            names[host['name']]: aggregates[host['aggregate:fault_domain']]
            for host in hosts
        })
        server_rows.report(manager, {'cmp': [
            template for template, _ in templates.values()
        ], **servers})
        server_rows.fill_file(mirror, self.placement, used, sizes)
        self.assertEqual(len(hosts) + 1, len(mirror.refresh().hosts))
        return names, len(copies)

    def add_domains(self):
        """Make an aggregate of each fault domain; the template host is in all.

        :returns: their ids, by the domain.
        """
        aggregates = {}
        for domain in range(tables.DOMAINS):
            made = self.admin_api.post_aggregate({
                'aggregate': {'name': f'domain {domain}'}
            })['id']
            self.admin_api.post_aggregate_action(made, {
                'set_metadata': {'metadata': {
                    DOMAIN.rpartition(':')[2]: str(domain)
                }}
            })
            self.add_to_aggregate(made, 'cmp')
            aggregates[domain] = made
        return aggregates

    def boot_templates(self, requests):
        """Boot a server of each flavor, fault domain and policy.

        :returns: its UUID and its group's, by :func:`get_kind`.
        """
        templates, flavors = {}, {}
        for request in requests:
            kind = get_kind(request)
            if kind in templates:
                continue
            vcpus, memory_mb, domain, policy = kind
            if kind[:3] not in flavors:
                flavors[kind[:3]] = self.create_flavor(self.flavor(
                    vcpus=vcpus, memory_mb=memory_mb,
                    extra_specs={DOMAIN: domain} if domain else {},
                ))
            group = self.admin_api.post_server_groups({
                'name': f'group {len(templates)}', 'policy': policy,
            })['id'] if policy else ''
            templates[kind] = self.boot(
                {'group': group} if group else None,
                flavorRef=flavors[kind[:3]],
            )['id'], group
        return templates


def get_kind(request):
    """Return what differs between servers that are no copies of another."""
    return (
        int(request['vcpus']), int(request['memory_mb']),
        request[tables.DOMAIN], request['policy'],
    )


def place(hosts, requests):
    """Return the requests before the first refusal, each with its host.

    A request that finds no room on the one host of its affinity group is left
    out; how many there are comes last.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        tables.write(folder / 'hosts.csv', hosts)
        tables.write(folder / 'requests.csv', requests)
        traces.run(folder, 'journal', 'import', 'hosts.csv', 'requests.csv',
                   '-o', 'day.journal')
        (folder / 'nova.conf').write_text(
            f'[filter_scheduler]\n'
            f'enabled_filters = {",".join(traces.FILTERS)}\n'
        )
        output, _ = traces.run(
            folder, 'replay', 'day.journal', '--rolling', '--config-file',
            'nova.conf', '-f', 'json',
        )
    (day,) = json.loads(output)['configurations']
    placed, refused = [], 0
    for request, decision in zip(requests, day['decisions'], strict=True):
        if decision['hosts']:
            placed.append((request, decision['hosts'][0]))
        elif request['policy'] == 'affinity':
            refused += 1
        else:
            return placed, refused
    raise AssertionError('all requests are placed: ask for more')


def make_copies(templates, placed, names):
    """Return a copy for each request that was placed."""
    groups, copies = {}, []
    for request, host in placed:
        template, its_group = templates[get_kind(request)]
        own = (its_group, groups.setdefault(
            request['group'], str(uuid.uuid4())
        )) if its_group else ()
        copies.append(server_rows.Copy(template, names[host], own))
    return copies


def show(losses, took, used):
    """Print the worst racks, and totals."""
    decided = losses_table.sort(
        dataclasses.asdict(loss) for loss in losses if not loss.undecided
    )
    left = sum(loss.servers for loss in losses if loss.undecided)
    rows = losses_table.make_rows(decided)[:SHOWN]
    for row in (losses_table.COLUMNS, *rows):
        print('{:8} {:>8} {:>6} {:>8} {:>8} {}'.format(*row))
    servers, back, no_host, refused = (
        sum(loss[name] for loss in decided)
        for name in ('servers', 'back', 'no_host', 'refused')
    )
    print(
        f'{len(losses)} racks, each lost alone: {servers} servers decided by '
        f'the engine in {took:.1f} s, {used:.1f} s of the processor, '
        f'{1000 * used / max(1, servers):.2f} ms each; '
        f'{left} left to Nova\'s code; {back} back, {refused} refused, '
        f'{no_host} without a host in '
        f'{sum(bool(loss["no_host"]) for loss in decided)} losses', flush=True,
    )


def _tell_part(hosts, placed, name):
    used = 100 * sum(int(request[name]) for request, _ in placed)
    return f'{used / sum(host[name] for host in hosts):.0f} %'


def main(words):
    """Measure once.

    :returns: the exit status.
    """
    bench = RacksBench()
    bench.size = QUICK_HOSTS if '--quick' in words else None
    return int(not unittest.TextTestRunner().run(bench).wasSuccessful())


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
