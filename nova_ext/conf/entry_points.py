"""Extensions that packages bring, through entry points."""

from typing import Any

from stevedore import ExtensionManager

from nova_ext.core import errors


def classes(namespace: str) -> dict[str, Any]:
    """What is installed in a group of entry points, by name.

    :raises ConfigurationError: for one that can't be imported. Leaving it
        out would silently drop what somebody installed it for.
    """
    return {
        extension.name: extension.plugin
        for extension in ExtensionManager(
            namespace, on_load_failure_callback=_refuse
        )
    }


def _refuse(manager: Any, entry_point: Any, error: BaseException) -> None:
    raise errors.ConfigurationError(
        f'entry point {manager.namespace}', entry_point.name,
        f'{entry_point.value} does not load: {type(error).__name__}: {error}',
        'mend or uninstall its package',
    ) from error
