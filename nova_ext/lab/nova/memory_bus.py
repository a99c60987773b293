"""Return messages that no service takes, as RabbitMQ does.

``fake://`` would keep a question for a service that may never come. A lab of
plugin mode would seem to have a nova-ext-scheduler that hangs.
"""

from typing import Any

import oslo_messaging as messaging
from oslo_messaging._drivers import impl_fake


def return_undeliverable() -> None:
    """Have ``fake://`` refuse mandatory messages to topics without a queue.

    A service makes its queues when it begins to listen.
    """
    send = impl_fake.FakeDriver.send

    def send_or_return(
        driver: Any, target: Any, context: Any, message: Any,
        *args: Any, transport_options: Any = None, **kwargs: Any,
    ) -> Any:
        exchange = driver._exchange_manager.get_exchange(target.exchange)
        mandatory = transport_options and transport_options.at_least_once
        if mandatory and (target.topic, None) not in exchange._topic_queues:
            raise messaging.MessageUndeliverable(
                None, target.exchange, target.topic, message
            )
        return send(
            driver, target, context, message, *args,
            transport_options=transport_options, **kwargs,
        )

    impl_fake.FakeDriver.send = send_or_return
