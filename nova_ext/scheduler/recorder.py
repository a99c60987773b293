"""From a finished trace to the record, off the request's path."""

from functools import cache
from pathlib import Path
from typing import Any

from nova import exception

from nova_ext.core import decision as d
from nova_ext.core import second_look
from nova_ext.record import findings
from nova_ext.record.writer import EXIT_S, Writer
from nova_ext.scheduler import asking, options, trace
from nova_ext.scheduler.completion import Completion
from nova_ext.scheduler.harmless import harmless


class Recorder:
    """Hands decisions to the writer, completed in its thread."""

    def __init__(self) -> None:
        self._writer = Writer(options.CONF)
        self.completion = Completion()
        self.asking = asking.Asking(
            lambda found: self._writer.put(lambda: findings.line(found)),
            Path(options.CONF.nova_ext_record.file),
            options.CONF.nova_ext_record.ask_again_every_s,
        )

    @property
    def enabled(self) -> bool:
        """Whether decisions are recorded at all."""
        return bool(options.CONF.nova_ext_record.enabled)

    def record(self, made: trace.Trace) -> None:
        """Record a closed trace's decision; returns at once, never raises."""
        self._writer.put(lambda: self._complete(made), made.hosts_kept)

    def record_whole(self, made: d.Decision) -> None:
        """Record a decision that needs no more than the configuration."""
        self._writer.put(lambda: self.completion.configured(made))

    def flush(self, timeout_s: float) -> bool:
        """Wait until what was recorded so far is written.

        :returns: False when the time was up first.
        """
        return self._writer.flush(timeout_s)

    @harmless
    def close(self) -> None:
        """Write what waits; a scheduler ends without Python's own exit."""
        self.flush(EXIT_S)

    def _complete(self, closed: trace.Trace) -> d.Decision:
        made = self.completion.told(
            closed, in_full=options.CONF.nova_ext_record.successes_in_full
        )
        if made.occasion == 'rebuild' or not closed.from_first:
            return made
        if made.outcome in (d.PLACED, d.PASSED):
            self.completion.count_absent(closed)
            return made
        self.completion.add_absent(closed)
        if made.placement is not None and second_look.worth_taking(made):
            harmless(self.asking.about)(made.placement)
        return made


class Recording:
    """One request's decision, recorded on every exit.

    Used with ``with``, around all that Nova does for the request.

    :param context: the request's context.
    :param spec: the request spec.
    :param servers: server UUIDs; None in the legacy form.
    :param driver: the class that decides.
    """

    def __init__(
        self, context: Any, spec: Any, servers: Any, driver: type[Any]
    ) -> None:
        self._about = (context, spec, driver.__name__)
        self._servers = list(servers or ())
        self._made: trace.Trace | None = None
        self._chosen: dict[str, list[str]] = {}

    @harmless
    def __enter__(self) -> None:
        if self.wanted():
            context, spec, driver = self._about
            self._made = trace.opened(2, context, spec, driver)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        trace.enter(None)
        self._record(error)

    def wanted(self) -> bool:
        """Whether the decision is recorded at all."""
        return get().enabled

    def keep(self, made: trace.Trace) -> None:
        """Take the closed trace, to record its decision."""
        get().record(made)

    def placed(self, destinations: Any) -> list[str]:
        """Take what was chosen.

        :param destinations: Nova's answer: for each server a list of
            Selection objects, or a dictionary in the legacy form.
        :returns: the chosen host of each server.
        """
        offers = [_hosts(offer) for offer in destinations]
        servers = self._servers or [str(n) for n in range(len(offers))]
        self._chosen = dict(zip(servers, offers, strict=False))
        return [offer[0] for offer in offers if offer]

    @harmless
    def _record(self, error: Any) -> None:
        made = self._made
        if made is None:
            return
        made.decision.servers = self._servers
        if error is None:
            made.close(d.PLACED, chosen=self._chosen)
        elif isinstance(error, exception.NoValidHost):
            made.close(d.NO_VALID_HOST, str(error))
        else:
            made.close(d.FAILED, f'{type(error).__name__}: {error}')
        self.keep(made)


def _hosts(offer: Any) -> list[str]:
    """The chosen host and its alternates, out of Nova's answer."""
    if isinstance(offer, dict):
        return [offer['host']]
    return [selection.service_host for selection in offer]


@cache
def get() -> Recorder:
    """The recorder of this process."""
    return Recorder()
