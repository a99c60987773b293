"""Make a journal's decisions again under the configuration of this process.

Nova's own filters and weighers decide. What they are built from is the given
configuration; what they read is in the journal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nova import context, exception, objects
from nova.scheduler import host_manager

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as decisions
from nova_ext.core.decision.decision import Decision
from nova_ext.drivers.filter import FilterScheduler
from nova_ext.journal.model import (
    IMPORTED,
    JournalDecision,
    JournalProcess,
)
from nova_ext.journal.replayed import HostKey, Replayed
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.discovery import active_plugins, validation
from nova_ext.scheduler.journal import inputs, process_facts
from nova_ext.scheduler.plugins import drivers, traced
from nova_ext.scheduler.trace.trace import Trace
from nova_ext.scheduler.what_if.replay import announced, evidence
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import (
    Gaps,
    RecordedFacts,
    RefusedQueries,
    UnknownFactError,
)
from nova_ext.scheduler.what_if.replay.journal_stage import (
    JournalStage,
    Stage,
)
from nova_ext.scheduler.what_if.simulate import simulated_effects

#: Hosts of a ranking that an explanation has, with their weights.
RANKED = 1000


class _JournalHostManager(host_manager.HostManager):
    """Load filters and weighers as Nova's; take hosts from a journal.

    :ivar hosts: the next decision's.
    """

    hosts: Sequence[Any] = ()

    def refresh_cells_caches(self) -> None:
        """Read no cells."""

    def _init_aggregates(self) -> None:
        """Read no aggregates."""

    def _init_instance_info(self, *_: Any) -> None:
        """Read no servers."""

    def get_host_states_by_uuids(self, *_: Any) -> Any:
        """Return the hosts of the journal, in its order."""
        return iter(self.hosts)


class Replayer:
    """Decide again, one decision after the other.

    Make one in a process, once its configuration is read.

    :param mode: in which the journal was written.
    :param changes: of aggregates.
    :param make_stage: returns what sets the stage for each decision.
    :ivar stage: what it returned.
    :raises ConfigurationError: for a filter, weigher or driver that can't be
        used.
    """

    def __init__(
        self, mode: str, changes: Sequence[AggregateChange] = (),
        make_stage: Callable[..., Stage] = JournalStage,
    ) -> None:
        self._gaps = Gaps()
        validation.validate()
        manager = self._manager = _JournalHostManager()
        traced.trace_all(manager)
        facts = RecordedFacts(self._gaps)
        for adapter in (*manager.enabled_filters, *manager.weighers):
            if hasattr(adapter, 'plugin'):
                adapter.plugin.facts = facts
        driver = FilterScheduler(facts)
        if mode in (Mode.SCHEDULER, IMPORTED):
            driver = drivers.load(  # type: ignore[assignment]
                options.CONF.nova_ext.scheduler_driver, facts
            )['compute']
        self.stage = make_stage(self._gaps, self._manager, changes)
        self._effects = simulated_effects.SimulatedEffects(
            self.stage.claims, self._describe, self
        )
        self._is_explained = False
        self._decider = NovaDecider(
            self._manager, driver, self.stage.source, self._effects
        )
        self._classes = [
            type(each) for each in (
                *manager.enabled_filters, *manager.weighers, driver,
            )
        ]
        self._watched: frozenset[HostKey] = frozenset()
        self._best = 0
        RefusedQueries(self._gaps).install()

    def list_other_code(self, process: JournalProcess) -> list[str]:
        """Return whose code differs from the journal's, by package.

        :param process: has the plugins of then.
        """
        if process.mode == IMPORTED:
            return []
        here = process_facts.describe(
            Mode(process.mode), map(type, self._manager.enabled_filters),
            map(type, self._manager.weighers), '',
        )
        digests = {
            (plugin['kind'], plugin['name']): plugin['digest']
            for plugin in here['plugins']
        }
        nova, novas = here['versions']['nova'], process.versions.get('nova')
        if novas not in (None, nova):
            return [f'the code of nova {novas} as it was: {nova} decides here']
        others: dict[str, list[str]] = {}
        for plugin in process.plugins:
            digest = digests.get((plugin.kind, plugin.name))
            if digest and plugin.digest and digest != plugin.digest:
                others.setdefault(
                    plugin.package or plugin.module, []
                ).append(plugin.name)
        return [
            f'the code of {package} as it was: {", ".join(names[:3])}'
            f'{" and others" if len(names) > 3 else ""} differ here'
            for package, names in others.items()
        ]

    def describe_plugins(self) -> dict[str, Any]:
        """Return ``filters`` and ``weighers`` with their multipliers."""
        return active_plugins.describe(self._manager, {}, ())

    def leave_out(self, names: Sequence[str]) -> None:
        """Ask some filters and weighers no more.

        :param names: of their classes.
        """
        manager = self._manager
        manager.enabled_filters, manager.weighers = (
            [each for each in some if type(each).__name__ not in names]
            for some in (manager.enabled_filters, manager.weighers)
        )

    def announce(self, announce: announced.Announce) -> None:
        """Announce each filter and weigher that runs from now on."""
        announced.announce_all(self._manager, announce)

    def before_ranking(self, spec: Any) -> None:
        """Do nothing."""

    def after_ranking(self, spec: Any, hosts: Any) -> None:
        """Keep the weights of the hosts that are compared."""
        attempt = cycle.get_attempt()
        if attempt is not None:
            if len(hosts) > 1:
                best = len(attempt.weighings.list_best())
                self._best = max(self._best, best if best > 1 else 0)
            if not hosts or {host_key(hosts[0])} >= self._watched:
                return  # no other host is compared with the one that is taken
            for host in hosts:
                if host_key(host) in self._watched:
                    attempt.add_notable(host)

    def decide(
        self, decision: JournalDecision,
        watched: Sequence[HostKey] | None = None, *, compared: bool = True,
    ) -> Replayed:
        """Decide a decision again.

        :param watched: hosts whose verdicts and weights are wanted; None:
            those that were chosen then, if others are chosen now.
        :param compared: whether the decision has those that were chosen.
        """
        self._gaps.facts.clear()
        self._effects.closed = None
        self._best = 0
        self._watched = frozenset(
            watched or (each[0] for each in decision.destinations if each)
        )
        outcome, chosen, error = self._choose(decision)
        is_unknown = outcome == decisions.FAILED and self._gaps.facts
        if not (chosen or is_unknown):
            self.stage.fail(decision)
        result = Replayed(
            '', decision.id, outcome, chosen, error,
            {
                number: tuple(keys)
                for number, keys in self.stage.equal.items()
                if number < len(chosen)
            },
            (
                *inputs.list_unknown(self._classes, decision.spec, ()),
                *self._gaps.facts,
            ),
        )
        closed = self._effects.closed
        result.best = self._best
        if closed is not None and closed.decision.mirror is not None:
            result.fallback = closed.decision.mirror.fallback
        is_wanted = watched is not None or (compared and (
            result.first_hosts != tuple(
                each[0] for each in decision.destinations if each
            )
        ))
        if is_wanted and closed is not None:
            closed.finish(in_full=False)
            result.evidence = evidence.collect(
                closed.decision, self._watched | set(result.first_hosts)
            )
        return result

    def explain(self, decision: JournalDecision) -> tuple[Replayed, Decision]:
        """Decide a decision again; return what each step said, too.

        :raises NovaExtError: no step was reached.
        """
        self._is_explained = True
        try:
            replayed = self.decide(decision, ())
        finally:
            self._is_explained = False
        closed = self._effects.closed
        if closed is None:
            raise NovaExtError(
                f'{decision.request_id or "the request"} can\'t be decided '
                f'again: {replayed.error}'
            )
        return replayed, closed.decision

    def _describe(self, open_trace: Trace) -> None:
        """Have a decision that is explained name all hosts."""
        if self._is_explained:
            open_trace.ranked_hosts = RANKED
            open_trace.enabled = [
                type(each).__name__ for each in self._manager.enabled_filters
            ]

    def _choose(
        self, decision: JournalDecision
    ) -> tuple[str, tuple[tuple[HostKey, ...], ...], str]:
        """Return the outcome, the chosen hosts and the error's text."""
        try:
            who = _make_context(decision.context, decision.request_id)
            spec = objects.RequestSpec.obj_from_primitive(
                dict(decision.spec), who
            )
            self.stage.open(decision, spec)
            selected = self._decider.select_destinations(
                who, spec_obj=spec,
                instance_uuids=list(decision.servers) or None,
                return_objects=True, return_alternates=bool(
                    decision.options.get('return_alternates')
                ),
            )
            self.stage.close(decision, selected)
        except exception.NoValidHost as error:
            if error.__cause__ is None:
                return decisions.NO_VALID_HOST, (), str(error)
            return decisions.FAILED, (), str(error)
        except UnknownFactError as error:
            return decisions.FAILED, (), str(error)
        except Exception as error:
            text = ' '.join(f'{type(error).__name__}: {error}'.split())
            return decisions.FAILED, (), text
        return decisions.PLACED, tuple(
            tuple((each.service_host, each.nodename) for each in selections)
            for selections in selected
        ), ''


def _make_context(caller: Mapping[str, Any], request_id: str) -> Any:
    return context.RequestContext(
        user_id=caller.get('user_id'), project_id=caller.get('project_id'),
        roles=list(caller.get('roles') or ()),
        is_admin=bool(caller.get('is_admin')), request_id=request_id,
        overwrite=False,
    )
