"""Nova's scheduler manager with drivers, and a record of every decision.

Start and end what nova-ext-scheduler serves beside Nova.
"""

from typing import Any

from nova.scheduler.client import report

from nova_ext.scheduler.base import options
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide.deciding import DecidingManager
from nova_ext.scheduler.discovery import active_extensions, enabled
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.launch.host_choice import Choice
from nova_ext.scheduler.launch.launcher import Launcher
from nova_ext.scheduler.plugins import drivers, recording, topic_chooser
from nova_ext.scheduler.rpc import driver_dispatch, endpoint
from nova_ext.scheduler.simulate import questions


class SchedulerManager(DecidingManager):
    """The manager of nova-ext-scheduler.

    Nova builds it in the master process and forks its workers from it:
    everything that can be wrong is found here, nothing is started here.

    :raises ConfigurationError: for a driver, filter, weigher or policy
        that can't be used.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        enabled.validate()
        self.drivers = drivers.load(
            options.CONF.nova_ext.scheduler_driver, nova_facts.get()
        )
        super().__init__(*args, **kwargs)
        recording.record_all(self.host_manager)
        self.compute_driver.launcher = Launcher(
            lambda *asked: Choice(self).hosts(*asked), self._fingerprint
        )
        topic_chooser.provide(self.drivers)
        self._server: Any = None

    def init_host(self, service_ref: Any) -> None:
        """Begin in a worker, with connections of its own.

        Nova asks Keystone and placement in the master already, and forked
        workers share the connections that stay open: one would read what
        another was answered.
        """
        report.PLACEMENTCLIENT = None
        super().init_host(service_ref)

    def schedule(
        self, context: Any, topic: str, schedule_method: str, /,
        **kwargs: Any,
    ) -> Any:
        """Run a method that the driver of a topic offers.

        :param kwargs: the method's arguments.
        :raises SchedulingError: a subclass says what is wrong.
        """
        return driver_dispatch.schedule(
            self.drivers, context, topic, schedule_method, kwargs
        )

    def post_start_hook(self) -> None:
        """Serve the topic of our own, too: in a worker, once Nova serves."""
        super().post_start_hook()
        kept = nova_facts.get()
        self._server = endpoint.server(self.host, endpoint.Endpoint(
            self.drivers, kept.services, kept.resource_stats,
            lambda: enabled.needed_stats(self.host_manager, self.drivers),
            self._fingerprint,
            questions.WhatIf(self),
            lambda: active_extensions.describe(self.host_manager, self.drivers),
        ))
        self._server.start()

    def graceful_shutdown(self, *args: Any, **kwargs: Any) -> None:
        """End the requests in hand, then their record: from Nova 33 on."""
        super().graceful_shutdown(*args, **kwargs)
        self._close(recorder.get())

    def cleanup_host(self) -> None:
        """The same before Nova 33, when no request is in hand any more."""
        super().cleanup_host()
        self._close(recorder.get())

    def _close(self, record: recorder.Recorder) -> None:
        if self._server is not None:
            self._server.stop()
            self._server.wait()
        record.close()
