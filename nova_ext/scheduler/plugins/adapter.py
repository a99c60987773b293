"""Adapt plugins to Nova: what filters and weighers have in common."""

from collections.abc import Callable
from typing import Any, ClassVar

from nova_ext.core.base import errors
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.plugin import Plugin
from nova_ext.scheduler.base import options, releases
from nova_ext.scheduler.discovery import installed
from nova_ext.scheduler.discovery.plugin_failure import (
    report_failure,
    starting,
)
from nova_ext.scheduler.facts import nova_facts


class Adapter:
    """Adapt a plugin; a mixin before Nova's base class of its kind.

    A class is derived from it for each plugin class.

    :cvar plugin_class: the plugin's class; set in the derived class.
    """

    #: ``filter`` or ``weigher``.
    kind: ClassVar[str]
    #: Base class of the plugins.
    contract: ClassVar[type[Plugin]]
    #: Base class of those that are written for Nova itself.
    nova_class: ClassVar[type[Any]]
    #: The entry-point group.
    namespace: ClassVar[str]
    #: The option that enables them.
    option: ClassVar[str]

    plugin_class: ClassVar[type[Any]]

    def __init__(self) -> None:
        cls = self.plugin_class
        with starting(self.option, cls.__name__):
            self.plugin = cls(options.for_plugin(cls), nova_facts.get())

    @classmethod
    def adapt(cls, plugin_class: Any) -> Any:
        """Return a class of Nova's kind, under the plugin's name.

        :param plugin_class: a subclass of ``contract``, or one of Nova's.
        :raises ConfigurationError: for any other class.
        """
        if issubclass(plugin_class, cls.nova_class):
            return plugin_class
        if not issubclass(plugin_class, cls.contract):
            contract = f'{cls.contract.__module__}.{cls.contract.__name__}'
            raise errors.ConfigurationError(
                f'entry point {cls.namespace}', plugin_class.__name__,
                f'no {cls.kind}: not a subclass of {contract}',
            )
        return type(
            plugin_class.__name__, (cls,), {
                '__module__': plugin_class.__module__,
                '__doc__': plugin_class.__doc__,
                'plugin_class': plugin_class,
            },
        )

    @classmethod
    def load(cls, novas: list[type[Any]]) -> dict[str, Any]:
        """Return all classes of the kind, by name.

        :param novas: Nova's own classes, which come first.
        :raises ConfigurationError: for a broken plugin, or one whose name
            is taken.
        """
        releases.warn_if_untested()
        classes = {nova_class.__name__: nova_class for nova_class in novas}
        plugins = installed.load_topic_classes(
            COMPUTE, cls.namespace, cls.contract, cls.nova_class
        )
        for entry_point, plugin_class in plugins.items():
            adapted = cls.adapt(plugin_class)
            if adapted.__name__ in classes:
                raise errors.ConfigurationError(
                    f'entry point {cls.namespace}', entry_point,
                    f'there is a {cls.kind} {adapted.__name__} already',
                    'rename the class or uninstall its package',
                )
            classes[adapted.__name__] = adapted
        return classes

    def call(self, method: Callable[..., Any], *args: Any) -> Any:
        """Call a method of the plugin.

        :raises NoValidHost: naming the plugin, if it raises.
        """
        try:
            return method(*args)
        except errors.FAILURES as error:
            raise report_failure(
                self.kind, type(self).__name__, error
            ) from error
