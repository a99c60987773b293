"""Having an image on hosts: the scheduler chooses, the hosts copy."""

import collections
import concurrent.futures
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import oslo_messaging as messaging

from image_prefetch import wire
from image_prefetch.image import Image
from nova_ext.client import NovaExtError, SchedulerClient, UnreachableError

#: Seconds that a copy may take.
COPY_S = 3600
#: Seconds without a sign of life after which a host counts as dead.
ALIVE_S = 15
#: Attempts to send after the first; they take 9 seconds and more. Without a
#: bound oslo.messaging waits for a broker as long as it is away.
_RETRIES = 3
FAILED = 'failed'


@dataclass(frozen=True)
class Outcome:
    """What became of one host.

    :param result: ``copied``, ``held`` or FAILED.
    :param why: of a failure.
    """

    host: str
    result: str
    why: str = ''


class Prefetch:
    """Has images fetched.

    :param client: of the schedulers.
    :param context: in whose name.
    :param alive_s: seconds without a sign of life after which a host counts
        as dead.
    :param copy_s: seconds that a copy may take.
    """

    def __init__(
        self, client: SchedulerClient, context: Any, alive_s: int = ALIVE_S,
        copy_s: int = COPY_S,
    ) -> None:
        self._client = client
        self._context = context
        self._rpc = messaging.get_rpc_client(
            client.transport, messaging.Target(
                exchange=wire.EXCHANGE, topic=wire.TOPIC,
                version=wire.VERSION,
            ), timeout=copy_s, call_monitor_timeout=alive_s,
            retry=_RETRIES,
        )

    def choose(
        self, image: Image, count: int = 1, group: str = ''
    ) -> dict[str, Any]:
        """Have the scheduler choose.

        :returns: ``hosts``, all that fit, best first, and ``why``.
        :raises SchedulingError: when it can't.
        """
        chosen: dict[str, Any] = self._client.schedule(
            self._context, wire.TOPIC, 'choose', image=image.name,
            size_mb=image.size_mb, count=count, group=group,
        )
        return chosen

    def fetch(
        self, image: Image, hosts: Iterable[str], count: int = 1,
        told: Callable[[Outcome], None] = lambda outcome: None,
    ) -> list[Outcome]:
        """Have the best hosts copy, and for each that fails the next best.

        Where the message bus can't be reached, no other host is asked.

        :param hosts: best first.
        :param count: on how many the image is to be.
        :param told: hears each outcome when it is there.
        :returns: the outcomes, in the order in which they came.
        """
        left = collections.deque(hosts)
        outcomes: list[Outcome] = []

        def on_one() -> None:
            while True:
                try:
                    host = left.popleft()
                except IndexError:
                    return
                try:
                    outcome = self._fetch(image, host)
                except UnreachableError as error:
                    left.clear()
                    outcome = Outcome(host, FAILED, str(error))
                outcomes.append(outcome)
                told(outcome)
                if outcome.result != FAILED:
                    return

        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            for place in [pool.submit(on_one) for _ in range(count)]:
                place.result()
        return outcomes

    def _fetch(self, image: Image, host: str) -> Outcome:
        try:
            result = self._rpc.prepare(server=host).call(
                self._context, 'fetch', name=image.name, sha256=image.sha256
            )
        except messaging.MessagingTimeout:
            return Outcome(host, FAILED, 'gives no sign of life')
        except messaging.RemoteError as error:
            return Outcome(host, FAILED, error.value)
        except NovaExtError as error:
            # A bus inside one process hands the host's own errors on.
            return Outcome(host, FAILED, str(error))
        except Exception as error:
            # Among them errors of the bus's driver, which have no base.
            raise UnreachableError(
                f'the message bus can\'t be reached ({type(error).__name__})'
            ) from error
        return Outcome(host, result)
