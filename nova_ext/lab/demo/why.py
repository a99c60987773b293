"""The demonstration of why: a boot that fails, and one that does not.

A stock nova-scheduler decides both. What it rejects is read from its record,
and what would be is worked out beside it, by the command that operators have.
"""

import json

from nova_ext.lab.configuration.nova_config import ENABLED_FILTERS
from nova_ext.lab.demo import servers, shortage
from nova_ext.lab.demo.demo_output import Shown, outcome
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state.errors import LabError

FAILED, SMALLER = 'why-large', 'why-small'
_LAST = 'ServerGroupAntiAffinityFilter'
#: What the lab's filters after the last one that saw a host come to.
UNASKED = 'no host was left for {} to be asked about'.format(', '.join(
    ENABLED_FILTERS[ENABLED_FILTERS.index(_LAST) + 1:]
))


class Why(Shown):
    """A hundred hosts, none of which takes a large server."""

    def run(self) -> bool:
        """Show everything.

        :returns: whether every sentence was right.
        :raises LabError: when the lab lacks what it needs.
        """
        if not self.state.stock:
            raise LabError(
                f'lab {self.place.name} runs nova-ext-scheduler; for Nova\'s '
                f'own: nova-ext lab up --name {self.place.name} --stock'
            )
        cloud = Cloud(self.state)
        with shortage.make(cloud) as short:
            try:
                self._fails(cloud, short)
                self._smaller(cloud, short)
            finally:
                for name in (FAILED, SMALLER):
                    servers.remove(cloud, name)
        self.table()
        return all(ok for *_, ok in self.findings)

    def _fails(self, cloud: Cloud, short: shortage.Shortage) -> None:
        self.say('A stock nova-scheduler finds no host for a large server.')
        server = self.boot(
            cloud, FAILED, '--hint', f'group={short.group}',
            flavor=shortage.LARGE,
        )
        self.check('a large server', 'ERROR', outcome(server))
        told = self.command('nova-ext', 'explain', FAILED)
        sentence, *others = told.splitlines() or ['']
        self.check(
            'nova-ext explain', f'0/{_hosts(short)} hosts: {len(short.full)} '
            f'did not reach the filters, {_rejected(short)}', sentence,
        )
        self.check(
            'nova-ext explain, what was not asked', UNASKED,
            UNASKED if UNASKED in others else 'it does not say so',
        )
        self.say(
            'What placement was asked, and why it did not offer the others, a '
            'stock nova-scheduler does not tell.'
        )

    def _smaller(self, cloud: Cloud, short: shortage.Shortage) -> None:
        self.say('What would pass? Nothing is booted for the answer.')
        words = (
            'nova-ext', 'simulate', '--flavor', shortage.SMALL, '--image',
            'cirros', '--nic', 'none', '--hint', f'group={short.group}',
            '--config-file',
            str(self.place.configuration('nova') / 'nova.conf'),
            '--instead-of', FAILED, '-f', 'json',
        )
        self.show(f'\n$ {" ".join(words[:-2])}')
        done = self.execute(*words)
        if done.returncode:
            self.show(done.stderr)
            self.check('nova-ext simulate', 'an answer', 'none')
            return
        told = json.loads(done.stdout)
        self.show('\n'.join([told['sentence'], told['notes'][0]]))
        (attempt,) = told['decision']['attempts']
        best = attempt['ranked'][:max(1, attempt['equal'])]
        hosts = f'{len(short.full)} of {_hosts(short)}'
        # How many weigh the same depends on what else is in the lab.
        self.check(
            'nova-ext simulate',
            f'{best[0]} chosen from {hosts} hosts: {_rejected(short)}*',
            told['sentence'],
        )
        self.check(
            'nova-ext simulate --instead-of',
            f'with memory_mb {shortage.SMALL_MB} instead of '
            f'{shortage.LARGE_MB}, {hosts} hosts pass', told['notes'][0],
        )
        server = self.boot(
            cloud, SMALLER, '--hint', f'group={short.group}',
            flavor=shortage.SMALL,
        )
        host = server.get('OS-EXT-SRV-ATTR:host') or ''
        self.check(
            'a small server', f'ACTIVE on one of the {len(best)} that '
            'simulate ranks first', f'ACTIVE on one of the {len(best)} that '
            'simulate ranks first' if host in best else outcome(server),
        )


def _hosts(short: shortage.Shortage) -> int:
    """Count all hosts: the group's member has the one that is neither."""
    return len(short.full) + len(short.down) + 1


def _rejected(short: shortage.Shortage) -> str:
    """Return what the filters say, of either flavor."""
    return (
        f'{len(short.down)} down as forced_down is set (ComputeFilter), 1 '
        f'anti-affinity group may have 1 there and has {short.member} '
        f'({_LAST})'
    )
