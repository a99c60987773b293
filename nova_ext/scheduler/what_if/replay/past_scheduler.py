"""Answer what a scheduler would have decided, at a moment of its journal.

Nova's configuration is global: make one in a process.
"""

import copy
import dataclasses
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from nova import objects
from oslo_utils import uuidutils

from nova_ext.core.decision.decision import FAILED, Decision
from nova_ext.core.rpc.boot_request import MAX_SERVERS
from nova_ext.core.rpc.capacity import Capacity, ServerRange
from nova_ext.journal.moment import PARTIAL, BootLike, Moment
from nova_ext.journal.replayed import Replayed
from nova_ext.scheduler.base import options
from nova_ext.scheduler.discovery.active_plugins import SchedulerPlugins
from nova_ext.scheduler.what_if.replay import configuration
from nova_ext.scheduler.what_if.replay.gaps import UnknownFactError
from nova_ext.scheduler.what_if.replay.journal_claims import FREE
from nova_ext.scheduler.what_if.replay.replayer import Replayer

FREE_ROOM = PARTIAL + FREE


class PastScheduler(SchedulerPlugins):
    """Decide with the configuration that decided then.

    :param moment: has the configuration.
    :param filters: enabled in place of those of then; empty: none is.
    :param has_cloud: boots have all that a mirror knew; see
        ``PastCloud.has_cloud``.
    :raises NovaExtError: the configuration can't be used here.
    """

    def __init__(
        self, moment: Moment, filters: Sequence[str] = (), *,
        has_cloud: bool = False,
    ) -> None:
        process = moment.process
        configuration.read_recorded(process.configuration, process.masked)
        configuration.set_options([
            ('filter_scheduler', 'enabled_filters', name) for name in filters
        ])
        configuration.go_offline()
        self._rolling: Any = None
        if has_cloud:
            from nova_ext.scheduler.what_if.replay.rolling import (  # numpy
                rolling_stage,
            )

            rolling_stage.skip_prefilters()
            self._replayer = Replayer(
                process.mode, (),
                partial(rolling_stage.RollingStage, process),
            )
            self._rolling = self._replayer.stage
        else:
            self._replayer = Replayer(process.mode)
        self._gaps = self._replayer.list_other_code(process)
        conf = options.CONF.scheduler
        if conf.query_placement_for_routed_network_aggregates:
            self._gaps.append('which hosts the networks of a boot reach')
        self.plugins = self._replayer.describe_plugins()

    def explain(self, moment: Moment) -> tuple[Decision, list[str]]:
        """Return a decision as it is made again, and what it lacks."""
        replayed, decision = self._replayer.explain(moment.decision)
        decision.at = moment.time
        notes = []
        if replayed.first_hosts != tuple(
            each[0] for each in moment.decision.destinations if each
        ):
            chosen = ', '.join(
                keys[0][0] for keys in moment.decision.destinations if keys
            )
            notes.append(
                f'then it came out otherwise: '
                f'{chosen or moment.decision.outcome}'
            )
        return decision, [*notes, *self._list_gaps(moment, replayed)]

    def simulate(
        self, moment: Moment, like: BootLike, new_group: str = ''
    ) -> tuple[Decision, list[str]]:
        """Return what a boot would have come to, and what it lacks.

        :param moment: as of ``PastCloud.find_boot(like)``.
        :param new_group: policy of a server group that has no other server;
            empty: there is none.
        """
        servers = [uuidutils.generate_uuid() for _ in range(like.count)]
        spec = copy.deepcopy(dict(moment.decision.spec))
        spec['nova_object.data'].update(
            instance_uuid=servers[0], num_instances=like.count,
            scheduler_hints={
                name: list(values) for name, values in like.hints.items()
            },
        )
        if new_group:
            spec['nova_object.data']['instance_group'] = objects.InstanceGroup(
                uuid=uuidutils.generate_uuid(), name='', policy=new_group,
                policies=[new_group], members=servers, hosts=[],
            ).obj_to_primitive()
        replayed, decision = self._replayer.explain(dataclasses.replace(
            moment.decision, spec=spec, servers=servers, attempts=(),
            claims=(), destinations=(), request_id='', room=None,
            options={'return_objects': True, 'return_alternates': False},
        ))
        for server in servers if self._rolling else ():
            self._rolling.cloud.release(server)
        decision.at, decision.simulated = moment.time, True
        return decision, [
            f'hosts and placement\'s answer are those of '
            f'{moment.decision.request_id}, {moment.time}',
            *self._list_gaps(moment, replayed, seeded=False),
        ]

    def count(
        self, moment: Moment, like: BootLike
    ) -> tuple[Capacity, list[str]]:
        """Return how many servers would have fitted, MAX_SERVERS at most.

        Servers are placed one after the other, as Nova places those of one
        request.

        :raises UnknownFactError: the journal does not have what placement
            had free, as in plugin mode.
        """
        decision, notes = self.simulate(
            moment, dataclasses.replace(like, count=MAX_SERVERS)
        )
        if FREE_ROOM in notes:
            raise UnknownFactError(
                f'{FREE_ROOM}: a stock nova-scheduler does not show it'
            )
        by_host = Counter(
            claim.host for claim in decision.claims if claim.claimed
        )
        placed = by_host.total()
        return Capacity(
            ServerRange(placed, placed), hosts={
                host: ServerRange(number, number)
                for host, number in by_host.most_common()
            }, bounded=placed == MAX_SERVERS, decision=decision,
            unknown=decision.outcome == FAILED,
        ), notes

    def _list_gaps(
        self, moment: Moment, replayed: Replayed, *, seeded: bool = True
    ) -> list[str]:
        """Return notes on facts that the journal lacks.

        :param seeded: a seed that is missing is none of them otherwise.
        """
        return [
            f'{PARTIAL}{gap}' for gap in dict.fromkeys([
                *(
                    gap for gap in moment.decision.missing
                    if seeded or 'seed' not in gap
                ), *self._gaps, *replayed.gaps,
            ])
        ]
