"""Provide what OpenStackClient looks for in a plugin."""

import argparse
from typing import Any

from osc_lib import utils

DEFAULT_API_VERSION = '1.0'
API_VERSION_OPTION = 'os_scheduler_api_version'
API_NAME = 'scheduler'
API_VERSIONS = ('1', '1.0')


def make_client(instance: Any) -> Any:
    """Make the client of nova-ext-api.

    :param instance: OpenStackClient's client manager.
    """
    # Every command of OpenStackClient imports this module.
    from nova_ext.cli.api_client import Client

    return Client(
        instance.session, region_name=instance.region_name,
        interface=instance.interface,
        version=instance._api_version[API_NAME],
    )


def build_option_parser(
    parser: argparse.ArgumentParser
) -> argparse.ArgumentParser:
    """Add the global option of the API's version."""
    parser.add_argument(
        '--os-scheduler-api-version', metavar='<scheduler-api-version>',
        default=utils.env(
            'OS_SCHEDULER_API_VERSION', default=DEFAULT_API_VERSION
        ),
        help=f'Scheduler API version, default={DEFAULT_API_VERSION} '
             f'(Env: OS_SCHEDULER_API_VERSION)',
    )
    return parser
