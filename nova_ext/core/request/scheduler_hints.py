"""Reading scheduler hints, which are free-form and written by users."""

from collections.abc import Iterable, Sequence

from nova_ext.core.request.model import RequestSpec


def values(request: RequestSpec, hint: str) -> list[str]:
    """The values of a hint as text, empty ones left out.

    :param request: the request spec.
    :param hint: the hint's name.
    :returns: one value for each time the hint was given; a value that is
        no text is turned into text, since users may send any JSON.
    """
    if 'scheduler_hints' not in request or not request.scheduler_hints:
        return []
    given = request.scheduler_hints.get(hint)
    if given is None:
        return []
    listed = given if isinstance(given, list | tuple) else [given]
    return [str(value).strip() for value in listed if str(value).strip()]


def names(request: RequestSpec, prefix: str) -> list[str]:
    """Return the names of the hints that begin with a prefix and are set.

    :param prefix: what they begin with, such as ``stats:``.
    """
    if 'scheduler_hints' not in request:
        return []
    return [
        name for name in request.scheduler_hints or ()
        if name.startswith(prefix) and values(request, name)
    ]


def same_host(host: str, names: Sequence[str]) -> bool:
    """Whether a host is among names; letter case does not matter.

    Nova compares the hosts it forces and ignores so too
    (nova.scheduler.host_manager).
    """
    return host.lower() in {name.lower() for name in names}


def declared(names: object, prefix: object) -> frozenset[str] | None:
    """Return the hints that a plugin declares to read.

    :param names: its ``hints``.
    :param prefix: its ``hint_prefix``; ``stats:`` is returned as ``stats:*``.
    :returns: None for neither a tuple or list of texts nor a prefix: which
        hints the plugin reads is not known then.
    """
    found = {f'{prefix}*'} if prefix and isinstance(prefix, str) else set()
    if isinstance(names, tuple | list) and all(
        isinstance(name, str) for name in names
    ):
        return frozenset({*found, *names})
    return frozenset(found) if found else None


def is_among(hint: str, names: Iterable[str]) -> bool:
    """Return whether declared hints have one of this name.

    :param names: as :func:`declared` returns them.
    """
    return any(
        hint == name or (name.endswith('*') and hint.startswith(name[:-1]))
        for name in names
    )
