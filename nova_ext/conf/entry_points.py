"""Load the plugins that packages bring through entry points."""

from typing import Any

from stevedore import ExtensionManager

from nova_ext.core.base import errors


def load_classes(namespace: str) -> dict[str, Any]:
    """Load what is installed in a group of entry points, by name.

    :raises ConfigurationError: for one that can't be imported, or two of one
        name. Leaving one out would silently drop what somebody installed it
        for.
    """
    classes: dict[str, Any] = {}
    for extension in ExtensionManager(
        namespace, on_load_failure_callback=_refuse
    ):
        name, plugin = extension.name, extension.plugin
        if classes.setdefault(name, plugin) is not plugin:
            raise errors.ConfigurationError(
                f'entry point {namespace}', name,
                f'{classes[name].__module__} and {plugin.__module__} both '
                'provide one',
                'rename one, or uninstall its package',
            )
    return classes


def _refuse(manager: Any, entry_point: Any, error: BaseException) -> None:
    raise errors.ConfigurationError(
        f'entry point {manager.namespace}', entry_point.name,
        f'{entry_point.value} does not load: {type(error).__name__}: {error}',
        'correct or uninstall its package',
    ) from error
