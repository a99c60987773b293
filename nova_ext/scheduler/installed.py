"""Installed extensions, found through their entry points."""

from typing import Any

from stevedore import ExtensionManager

from nova_ext.core import errors


def classes(namespace: str) -> dict[str, Any]:
    """All classes of an entry-point group, by entry-point name.

    :param namespace: ``nova_ext.filters`` and its like.
    :raises ConfigurationError: for one that can't be imported. Leaving it
        out would silently drop a policy that an operator installed.
    """
    found = ExtensionManager(namespace, on_load_failure_callback=_refuse)
    return {extension.name: extension.plugin for extension in found}


def _refuse(manager: Any, entry_point: Any, error: BaseException) -> None:
    raise errors.ConfigurationError(
        f'entry point {manager.namespace}', entry_point.name,
        f'{entry_point.value} does not load: {type(error).__name__}: {error}',
        'mend or uninstall its package',
    ) from error
