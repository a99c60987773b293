"""Call a method of a topic's driver, and translate its errors."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from nova import exception

from nova_ext.client.bus import find_known_class
from nova_ext.core.base import errors
from nova_ext.core.base.scheduling_errors import (
    DriverError,
    NoHostError,
    SchedulingError,
    UnknownTopicError,
)
from nova_ext.core.plugin.answers import MAX_LETTERS
from nova_ext.core.plugin.schedule_method import bind_method
from nova_ext.plugin import Driver
from nova_ext.scheduler.base.printable_error import build_exc_info

LOG = logging.getLogger(__name__)


def schedule(
    drivers: Mapping[str, Driver], context: Any, topic: str,
    schedule_method: str, arguments: Mapping[str, Any],
) -> Any:
    """Run a method of a topic's driver.

    :param drivers: by topic.
    :param context: the caller's.
    :param schedule_method: name of a method that the driver marked.
    :param arguments: the method's, by name.
    :returns: the result as JSON has it, so that callers in this process and
        over RPC get the same.
    :raises SchedulingError: of a class that crosses RPC.
    """
    driver = drivers.get(topic)
    if driver is None:
        raise UnknownTopicError(
            f'no driver of topic {topic!r}; '
            f'{errors.suggest_names(topic, drivers)}'
        )
    call = bind_method(driver, schedule_method, context, arguments)
    name = f'{type(driver).__name__}.{schedule_method}()'
    try:
        result = call()
    except SchedulingError as error:
        raise find_known_class(type(error))(_to_line(error)) from error
    except errors.NovaExtError as error:
        raise DriverError(f'{name}: {_to_line(error)}') from error
    except exception.NoValidHost as error:
        raise NoHostError(_to_line(error)) from error
    except errors.FAILURES as error:
        LOG.error(
            '%s of topic %s raised', name, topic,
            exc_info=build_exc_info(error),
        )
        raise DriverError(
            f'{name} raised {type(error).__name__}; the scheduler\'s log '
            'has more'
        ) from error
    return _to_plain_data(name, result)


def _to_plain_data(name: str, result: Any) -> Any:
    try:
        return json.loads(json.dumps(result, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise DriverError(
            f'{name} returned what JSON can\'t hold: {_to_line(error)}'
        ) from error


def _to_line(error: Exception) -> str:
    return ' '.join(str(error)[:MAX_LETTERS].split())
