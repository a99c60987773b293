"""Find the hosts of racks: by aggregates, by traits or by their names."""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nova_ext.core.base.errors import NovaExtError

_DEFAULT_KEY = 'rack'
#: Destinations of the options.
_OPTIONS = ('rack_key', 'rack_trait', 'rack_pattern')

Pairs = Iterable[tuple[str, Iterable[str]]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what a rack is."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        '--rack-key', metavar='<key>',
        help='key of aggregates\' metadata whose value names a rack '
             f'(default: {_DEFAULT_KEY})',
    )
    group.add_argument(
        '--rack-trait', metavar='<prefix>', type=_parse_prefix,
        help='prefix of traits; what follows it names the rack of the hosts '
             'that have the trait in placement, as R12 in CUSTOM_RACK_R12',
    )
    group.add_argument(
        '--rack-pattern', metavar='<regex>', type=_parse_pattern,
        help='regular expression with one group, such as "^(r[0-9]+)-", that '
             'finds the name of the rack in the name of a host',
    )


def find(cloud: Any, options: argparse.Namespace) -> dict[str, list[str]]:
    """Return the hosts of each rack, sorted; those without one are left out.

    :param cloud: a connection of openstacksdk.
    :param options: those of :func:`add_options`.
    :raises NovaExtError: there is no rack.
    """
    key = options.rack_key or _DEFAULT_KEY
    if options.rack_trait:
        racks = group(_list_by_trait(cloud, options.rack_trait))
        error = (
            f'no host has a trait that begins with {options.rack_trait}; '
            f'"openstack trait list" shows which there are'
        )
    elif options.rack_pattern:
        racks = group(_list_by_name(cloud, options.rack_pattern))
        error = (
            f'--rack-pattern {options.rack_pattern.pattern} finds a rack in '
            f'the name of no host'
        )
    else:
        racks = group(
            (aggregate.metadata[key], aggregate.hosts or ())
            for aggregate in cloud.compute.aggregates()
            if key in (aggregate.metadata or {})
        )
        error = (
            f'no aggregate with hosts has the metadata key {key}; name '
            f'another with --rack-key, or use --rack-trait or --rack-pattern'
        )
    if not racks:
        raise NovaExtError(error)
    return racks


def name_option(options: argparse.Namespace) -> str:
    """Return the option that says what a rack is; empty: none was given."""
    return next((
        f'--{name.replace("_", "-")}' for name in _OPTIONS
        if getattr(options, name)
    ), '')


def group(pairs: Pairs) -> dict[str, list[str]]:
    """Return hosts by name, sorted; names without hosts are left out."""
    groups: Mapping[str, set[str]] = defaultdict(set)
    for name, hosts in pairs:
        groups[name].update(hosts)
    return {
        name: sorted(hosts) for name, hosts in sorted(groups.items()) if hosts
    }


def list_hosts(compute: Any) -> list[str]:
    """Return the names of all compute hosts, sorted."""
    return sorted(
        service.host for service in compute.services(binary='nova-compute')
    )


def _list_by_trait(cloud: Any, prefix: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rack and the hosts of each trait."""
    # The ID of a compute node is that of its resource provider.
    hosts = {
        node.id: node.service_details['host']
        for node in cloud.compute.hypervisors(details=True)
    }
    for trait in cloud.placement.traits(name=f'startswith:{prefix}'):
        providers = cloud.placement.resource_providers(required=trait.name)
        yield trait.name.removeprefix(prefix), [
            hosts[provider.id] for provider in providers
            if provider.id in hosts
        ]


def _list_by_name(
    cloud: Any, pattern: re.Pattern[str]
) -> Iterator[tuple[str, list[str]]]:
    for host in list_hosts(cloud.compute):
        match = pattern.search(host)
        if match and match[1]:
            yield match[1], [host]


def _parse_prefix(text: str) -> str:
    if not re.fullmatch('CUSTOM_[A-Z0-9_]+', text):
        raise argparse.ArgumentTypeError(
            f'{text!r}: write the beginning of custom traits, such as '
            f'CUSTOM_RACK_'
        )
    return text


def _parse_pattern(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(
            f'{text!r} is no regular expression: {error}'
        ) from error
    if pattern.groups != 1:
        raise argparse.ArgumentTypeError(
            f'{text!r} has {pattern.groups} groups, not one; write '
            f'parentheses around what names the rack'
        )
    return pattern
