"""Find plugins in files that someone put into Nova's own packages."""

from collections.abc import Mapping

from nova_ext.lint.subject.listed_classes import is_class
from nova_ext.nova_releases import plugins_and_options, removed_names
from nova_ext.source_code.contract import find_contract
from nova_ext.source_code.module_finder import Finder
from nova_ext.source_code.plugin_source import BrokenError, Reader

_FILTERS = plugins_and_options.FILTERS_PACKAGE
_WEIGHERS = plugins_and_options.WEIGHERS_PACKAGE
#: Nova's own modules.
MODULES = frozenset({
    _FILTERS, _WEIGHERS,
    *(f'{_FILTERS}.{known.module}'
      for known in plugins_and_options.FILTERS.values()),
    *(f'{_WEIGHERS}.{module}'
      for module in plugins_and_options.WEIGHERS.values()),
})
_NAMES = frozenset({
    *plugins_and_options.FILTERS, *plugins_and_options.WEIGHERS,
    *removed_names.FILTERS,
})


def is_added(path: str, finder: Finder) -> bool:
    """Say whether the path of a class is of a file that is not Nova's."""
    module, _, name = path.rpartition('.')
    if (
        not module.startswith((f'{_FILTERS}.', f'{_WEIGHERS}.'))
        or module in MODULES or not is_class(path)
        or path in removed_names.PATHS
    ):
        return False
    return name not in _NAMES or finder.find_file(module) is not None


def list_added(reader: Reader) -> Mapping[str, Mapping[str, str]]:
    """Return the filters and weighers in files that are not Nova's.

    :returns: dotted paths by class name, by ``filter`` and ``weigher``;
        nothing where Nova is not installed.
    """
    added: dict[str, dict[str, str]] = {'filter': {}, 'weigher': {}}
    for package in (_FILTERS, _WEIGHERS):
        for folder in reader.finder.find_folders(package):
            for file in sorted(folder.glob('*.py')):
                name = f'{package}.{file.stem}'
                if file.stem == '__init__' or name in MODULES:
                    continue
                try:
                    plugins = reader.read_plugins(name, file)
                except BrokenError:
                    continue
                for plugin in plugins:
                    contract = find_contract(plugin)
                    if contract and contract.kind in added:
                        added[contract.kind][plugin.name] = (
                            f'{name}.{plugin.name}'
                        )
    return added
