"""A message bus inside one process, for oslo.messaging.

The library's own ``fake://`` has every listener look for messages twenty
times a second: the listeners of a hundred computes would keep half a
processor busy, and each hop of a request would wait. Here a listener sleeps
until it has a message.
"""

import queue
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import oslo_messaging
from oslo_messaging._drivers import base
from oslo_serialization import jsonutils


class Driver(base.BaseDriver):  # type: ignore[misc]
    """oslo.messaging driver ``nova-ext-lab://``."""

    def send(
        self, target: Any, ctxt: Any, message: Any,
        wait_for_reply: bool | None = None, timeout: float | None = None,
        call_monitor_timeout: float | None = None, retry: int | None = None,
        transport_options: Any = None,
    ) -> Any:
        """Send a message, and wait for its answer if there is one.

        :raises MessagingTimeout: when no answer came in time.
        """
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # What travels must survive it, and belongs to the receiver alone.
        text = jsonutils.dumps([ctxt, message])
        _bus.deliver(
            (target.exchange or self._default_exchange, target.topic),
            target.server, bool(target.fanout),
            lambda: _Message(*jsonutils.loads(text), answers),
        )
        if not wait_for_reply:
            return None
        try:
            reply, failure = answers.get(timeout=timeout)
        except queue.Empty:
            raise oslo_messaging.MessagingTimeout(
                f'No reply on topic {target.topic}'
            ) from None
        if failure:
            raise failure
        return reply

    def send_notification(
        self, target: Any, ctxt: Any, message: Any, version: float,
        retry: int | None = None,
    ) -> None:
        """Drop a notification: nothing in a lab could listen to it."""

    def listen(
        self, target: Any, batch_size: int, batch_timeout: float | None
    ) -> base.PollStyleListenerAdapter:
        """Listen to a topic, and to a server's own part of it."""
        topic = (target.exchange or self._default_exchange, target.topic)
        return base.PollStyleListenerAdapter(
            _Listener(topic, target.server), batch_size, batch_timeout
        )

    def listen_for_notifications(
        self, targets_and_priorities: Any, pool: str | None,
        batch_size: int, batch_timeout: float | None,
    ) -> base.PollStyleListenerAdapter:
        """Refuse: there are none."""
        raise NotImplementedError

    def cleanup(self) -> None:
        """Keep the bus: it belongs to all transports of the process."""


class _Message(base.RpcIncomingMessage):  # type: ignore[misc]
    def __init__(
        self, ctxt: Any, message: Any, answers: 'queue.SimpleQueue[Any]'
    ) -> None:
        super().__init__(ctxt, message)
        self._answers = answers

    def reply(self, reply: Any = None, failure: Any = None) -> None:
        self._answers.put((reply, failure[1] if failure else None))

    def requeue(self) -> None:
        raise NotImplementedError

    def heartbeat(self) -> None:
        """No caller in this process loses sight of the called one."""


class _Listener(base.PollStyleListener):  # type: ignore[misc]
    """Receives what is sent to its server, and its share of its topic."""

    def __init__(self, topic: Any, server: str | None) -> None:
        super().__init__()
        self.server = server
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._topic = topic
        self._stopped = False
        _bus.join(topic, self)

    @base.batch_poll_helper
    def poll(self, timeout: float | None = None) -> Any:
        try:
            return self.inbox.get(not self._stopped, timeout)
        except queue.Empty:
            return None

    def stop(self) -> None:
        self._stopped = True
        _bus.leave(self._topic, self)
        # Wakes the one that sleeps in poll().
        self.inbox.put(None)


class _Bus:
    """Listeners by topic, and the messages that none has taken yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[Any, list[_Listener]] = defaultdict(list)
        self._waiting: dict[Any, list[tuple[str | None, _Message]]] = (
            defaultdict(list)
        )

    def deliver(
        self, topic: Any, server: str | None, fanout: bool,
        make: Callable[[], _Message],
    ) -> None:
        """Give a message to one listener, or to all of a topic."""
        with self._lock:
            listeners = [
                listener
                for listener in self._listeners[topic]
                if fanout or server in (None, listener.server)
            ]
            if not listeners and not fanout:
                self._waiting[topic].append((server, make()))
            elif not fanout:
                listeners = [min(listeners, key=_length)]
            for listener in listeners:
                listener.inbox.put(make())

    def join(self, topic: Any, listener: _Listener) -> None:
        """Add a listener; it takes what waits for it."""
        with self._lock:
            self._listeners[topic].append(listener)
            for server, message in self._waiting.pop(topic, []):
                if server in (None, listener.server):
                    listener.inbox.put(message)
                else:
                    self._waiting[topic].append((server, message))

    def leave(self, topic: Any, listener: _Listener) -> None:
        """Remove a listener."""
        with self._lock:
            self._listeners[topic].remove(listener)


def _length(listener: _Listener) -> int:
    return listener.inbox.qsize()


_bus = _Bus()
