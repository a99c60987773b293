"""Demonstrate why a boot fails, and what would let it succeed.

A stock nova-scheduler decides. Its rejections are read from its record. What
would pass is simulated offline, by the command that operators have.
"""

import json

from nova_ext.lab.configuration.nova_config import ENABLED_FILTERS
from nova_ext.lab.demo import shortage
from nova_ext.lab.demo.demo_output import Demonstration, outcome
from nova_ext.lab.services import servers
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state.errors import LabError

FAILED, SMALLER = 'why-large', 'why-small'
_LAST = 'ServerGroupAntiAffinityFilter'
#: Names the lab's filters after the last one that saw a host.
UNASKED = 'no host was left for {} to be asked about'.format(', '.join(
    ENABLED_FILTERS[ENABLED_FILTERS.index(_LAST) + 1:]
))


class Why(Demonstration):
    """Explain why none of a hundred hosts takes a large server."""

    def run(self) -> bool:
        """Run the demonstration.

        :returns: whether every result is right.
        :raises LabError: when the lab has another scheduler, or too few hosts.
        """
        if not self.state.stock:
            raise LabError(
                f'lab {self.lab.name} runs nova-ext-scheduler; for Nova\'s '
                f'own: nova-ext lab up --name {self.lab.name} --stock'
            )
        cloud = Cloud(self.state)
        with shortage.create(cloud, self.lab.name) as short:
            try:
                self._boot_large(cloud, short)
                self._boot_small(cloud, short)
            finally:
                for name in (FAILED, SMALLER):
                    servers.remove(cloud, name)
        return self.table()

    def _boot_large(self, cloud: Cloud, short: shortage.Shortage) -> None:
        self.show('\nA stock nova-scheduler finds no host for a large server.')
        server = self.boot(
            cloud, FAILED, '--hint', f'group={short.group}',
            flavor=shortage.LARGE,
        )
        self.check('a large server', 'ERROR', outcome(server))
        explanation = self.command('nova-ext', 'explain', FAILED)
        sentence, *others = explanation.splitlines() or ['']
        self.check(
            'nova-ext explain',
            f'0/{_count_hosts(short)} hosts: {len(short.full)} did not reach '
            f'the filters, {_describe_rejections(short)}', sentence,
        )
        self.check(
            'nova-ext explain: filters not asked', UNASKED,
            UNASKED if UNASKED in others else 'no such line',
        )
        self.show(
            '\nA stock nova-scheduler does not tell what placement was asked, '
            'nor why it did not offer the others.'
        )

    def _boot_small(self, cloud: Cloud, short: shortage.Shortage) -> None:
        self.show('\nWhat would pass? Nothing is booted for the answer.')
        words = (
            'nova-ext', 'simulate', '--flavor', shortage.SMALL, '--image',
            'cirros', '--nic', 'none', '--hint', f'group={short.group}',
            '--config-file',
            str(self.lab.configuration('nova') / 'nova.conf'),
            '--instead-of', FAILED, '-f', 'json',
        )
        self.show_command(*words[:-2])
        done = self.execute(*words)
        if done.returncode:
            self.show(done.stderr)
            self.check('nova-ext simulate', 'an answer', 'none')
            return
        answer = json.loads(done.stdout)
        sentence, note = answer['sentence'], answer['notes'][0]
        self.show(f'{sentence}\n{note}')
        (attempt,) = answer['decision']['attempts']
        best = attempt['ranked'][:max(1, attempt['equal'])]
        hosts = f'{len(short.full)} of {_count_hosts(short)}'
        # How many weigh the same depends on what else is in the lab.
        self.check(
            'nova-ext simulate', f'{best[0]} chosen from {hosts} hosts: '
            f'{_describe_rejections(short)}*', sentence,
        )
        self.check(
            'nova-ext simulate --instead-of',
            f'with memory_mb {shortage.SMALL_MB} instead of '
            f'{shortage.LARGE_MB}, {hosts} hosts pass', note,
        )
        server = self.boot(
            cloud, SMALLER, '--hint', f'group={short.group}',
            flavor=shortage.SMALL,
        )
        host = server.get('OS-EXT-SRV-ATTR:host') or ''
        expected = f'ACTIVE on one of {len(best)} that simulate ranks first'
        self.check(
            'a small server', expected,
            expected if host in best else outcome(server),
        )


def _count_hosts(short: shortage.Shortage) -> int:
    """Return the number of hosts: the group's member has one more."""
    return len(short.full) + len(short.down) + 1


def _describe_rejections(short: shortage.Shortage) -> str:
    """Return what the filters say of either flavor."""
    return (
        f'{len(short.down)} down as forced_down is set (ComputeFilter), 1 '
        f'anti-affinity group may have 1 there and has {short.member} '
        f'({_LAST})'
    )
