"""The context in which the scheduler itself reads Nova's databases."""

import contextlib
from collections.abc import Iterator
from typing import Any

from nova import context as nova_context
from oslo_context import context as oslo_context


@contextlib.contextmanager
def context() -> Iterator[Any]:
    """An administrator's context, and the thread's current one after it.

    Nova makes the context with which it reads a cell the current one
    (nova.context.target_cell); log lines would carry its request id.
    """
    current = oslo_context.get_current()
    try:
        yield nova_context.get_admin_context()
    finally:
        if current is not None:
            current.update_store()
