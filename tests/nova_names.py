"""Find the names of Nova that code uses, and those that NOVA_API lacks."""

from types import ModuleType

from nova_ext.scheduler.base import missing_names, nova_api

_API = {
    owner: missing_names.parse_names(names)
    for owner, names in nova_api.NOVA_API.items()
}


def find_unlisted(owner, name, keywords=()):
    """Return the line that NOVA_API lacks; empty if it lacks none.

    :param owner: the class or the module that the name is read from.
    :param keywords: what a function is called with by name.
    """
    if isinstance(owner, ModuleType):
        path = owner.__name__
        value = getattr(owner, name, None)
        if not is_novas(path) or _is_owner(value):
            return ''
        if isinstance(value, ModuleType):
            return f'{value.__name__}: '
        listed = _API.get(path, {}).get(name)
    else:
        definer = missing_names.find_definer(owner, name)
        if definer is None or not is_novas(definer.__module__):
            return ''
        path = _get_path(definer)
        listed = next((
            _API[_get_path(cls)][name] for cls in owner.__mro__
            if name in _API.get(_get_path(cls), ())
        ), None)
    if listed is not None and set(keywords) <= set(listed):
        return ''
    return f'{path}: {name}' + (f'({" ".join(keywords)})' if keywords else '')


def is_novas(module):
    """Say whether a module belongs to Nova, and not to its tests."""
    return f'{module}.'.startswith('nova.') and not module.startswith(
        'nova.tests'
    )


def _is_owner(value):
    """Say whether the names' owners show that this module or class exists."""
    if isinstance(value, ModuleType):
        return any(
            f'{path}.'.startswith(f'{value.__name__}.') for path in _API
        )
    return isinstance(value, type) and _get_path(value) in _API


def _get_path(cls):
    return f'{cls.__module__}.{cls.__qualname__}'
