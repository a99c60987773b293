"""Read scheduler hints, which users may fill with any JSON."""

from collections.abc import Iterable, Sequence

from nova_ext.core.request.model import RequestSpec


def get_hint_values(request: RequestSpec, hint: str) -> list[str]:
    """Return the values of a hint as text, without empty ones.

    :param request: the request spec.
    :param hint: the hint's name.
    :returns: one value for each time the hint is in the request.
    """
    if 'scheduler_hints' not in request or not request.scheduler_hints:
        return []
    value = request.scheduler_hints.get(hint)
    if value is None:
        return []
    values = value if isinstance(value, list | tuple) else [value]
    return [text for value in values if (text := str(value).strip())]


def get_hint_names(request: RequestSpec, prefix: str) -> list[str]:
    """Return the names of the hints that begin with a prefix and are set.

    :param prefix: a prefix such as ``stats:``.
    """
    if 'scheduler_hints' not in request:
        return []
    return [
        name for name in request.scheduler_hints or ()
        if name.startswith(prefix) and get_hint_values(request, name)
    ]


def is_host_in(host: str, names: Sequence[str]) -> bool:
    """Say whether a host is among names, in any letter case.

    Nova compares forced and ignored hosts the same way
    (nova.scheduler.host_manager).
    """
    return host.lower() in {name.lower() for name in names}


def get_declared_hints(names: object, prefix: object) -> frozenset[str] | None:
    """Return the hints that a plugin declares to read.

    :param names: its ``hints``.
    :param prefix: its ``hint_prefix``; ``stats:`` is returned as ``stats:*``.
    :returns: None if it declares neither a tuple or list of texts nor a
        prefix: it is not known what it reads.
    """
    hints = {f'{prefix}*'} if prefix and isinstance(prefix, str) else set()
    if isinstance(names, tuple | list) and all(
        isinstance(name, str) for name in names
    ):
        return frozenset({*hints, *names})
    return frozenset(hints) if hints else None


def is_declared(hint: str, names: Iterable[str]) -> bool:
    """Say whether a hint is among declared ones.

    :param names: as :func:`get_declared_hints` returns them.
    """
    return any(
        hint == name or (name.endswith('*') and hint.startswith(name[:-1]))
        for name in names
    )
