"""Read what a build asks for from the arguments of a command."""

import argparse
from typing import Any

from osc_lib.cli import parseractions

from nova_ext.cli import boot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that describe a build."""
    parser.add_argument(
        'name', metavar='<name>',
        help='Name of the build and of its servers; several get a number',
    )
    parser.add_argument(
        '--flavor', metavar='<flavor>', required=True,
        help='Flavor (name or ID). Each zone needs the same one',
    )
    image = parser.add_mutually_exclusive_group(required=True)
    image.add_argument(
        '--image', metavar='<image>',
        help='Image (name or ID). Each zone needs one with this name',
    )
    image.add_argument(
        '--image-property', metavar='<key=value>', dest='image_properties',
        action=parseractions.KeyValueAction,
        help='Property of the image. Each zone needs one image with it. '
             'Repeat for several',
    )
    parser.add_argument(
        '--count', metavar='<number>', type=int, default=1,
        help='Number of servers, 1000 at most (default: %(default)s)',
    )
    parser.add_argument(
        '--min', metavar='<number>', type=int, dest='min_count',
        help='Minimum number of servers. With fewer, the build fails and '
             'keeps none (default: all)',
    )
    parser.add_argument(
        '--network', metavar='<network>', action='append',
        help='Name of a network that each zone has; auto; or none. '
             'Repeat for several names (default: auto)',
    )
    parser.add_argument(
        '--key-name', metavar='<key-name>', default='',
        help='Key pair. Each zone needs one with this name',
    )
    parser.add_argument(
        '--property', metavar='<key=value>', dest='metadata',
        action=parseractions.KeyValueAction, default={},
        help='Metadata of the servers; repeat for several',
    )
    parser.add_argument(
        '--availability-zone', metavar='<zone>', default='',
        help='Availability zone. Each zone needs one with this name',
    )
    parser.add_argument(
        '--hint', metavar='<key=value>', dest='hints',
        action=parseractions.KeyValueAppendAction, default={},
        help='Scheduler hint; repeat for several',
    )
    parser.add_argument(
        '--zone-constraint', metavar='<key=value>', action='append',
        dest='constraints', default=[],
        help='Capability that a zone needs, such as hypervisor=kvm; '
             'repeat for several',
    )
    parser.add_argument(
        '--dry-run', action='store_true',
        help='Show where the servers would be, and create none. Exit with '
             '1 if the build would fail',
    )


def read(
    cloud: Any, parsed_args: argparse.Namespace
) -> dict[str, Any]:
    """Return the build; flavor and image are described, not named by ID.

    :param cloud: a connection of openstacksdk.
    """
    flavor = boot.convert_flavor(
        boot.get_flavor(cloud.compute, parsed_args.flavor)
    )
    networks = parsed_args.network or ['auto']
    if len(networks) == 1 and networks[0] in boot.NO_NETWORKS:
        networks = networks[0]
    fields = {
        name: getattr(parsed_args, name) for name in (
            'key_name', 'metadata', 'availability_zone', 'constraints',
        )
    }
    fields['hints'] = boot.join_hints(parsed_args.hints)
    least = parsed_args.min_count
    del flavor['flavorid']
    return {
        'name': parsed_args.name, 'count': parsed_args.count,
        'flavor': flavor, 'networks': networks,
        'image': _describe_image(cloud, parsed_args),
        **({} if least is None else {'min_count': least}),
        **{name: value for name, value in fields.items() if value},
    }


def _describe_image(
    cloud: Any, parsed_args: argparse.Namespace
) -> dict[str, Any]:
    """Return the image's properties, or what the user's cloud has by name."""
    if parsed_args.image_properties:
        return {'properties': parsed_args.image_properties}
    image = cloud.image.find_image(parsed_args.image, ignore_missing=False)
    return {
        'id': image.id, 'name': image.name,
        'os_hash_value': image.hash_value,
    }
