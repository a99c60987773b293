"""Register the tests, and the options that they read, with Tempest."""

import ipaddress
from pathlib import Path

from oslo_config import cfg
from tempest.test_discover import plugins

SERVICE_OPTION = cfg.BoolOpt(
    'nova_ext', default=False,
    help='Whether the scheduler has nova-ext\'s filters.',
)


class _Group(cfg.types.String):
    """A client's address, and the prefix of its group's hosts."""

    def __call__(self, value):
        """Split at the last colon: an address of IPv6 has more.

        :returns: the address as the scheduler logs it, and the prefix.
        """
        address, _, prefix = super().__call__(value).rpartition(':')
        try:
            return str(ipaddress.ip_address(address)), prefix
        except ValueError:
            raise ValueError(
                f'{value}: write an address, a colon and a prefix of host '
                'names, such as 10.1.0.5:doc'
            ) from None


GROUP = cfg.OptGroup('nova_ext', title='nova-ext in the cloud under test')

OPTIONS = [
    cfg.ListOpt(
        'scheduler_logs', default=[], item_type=cfg.types.String(),
        help='Log files of all schedulers, with lines at INFO, readable '
             'where Tempest runs.',
    ),
    cfg.StrOpt(
        'scheduler_journal_unit', default='',
        help='The systemd unit whose journal is the scheduler\'s log, such '
             'as devstack@n-sch; used where there is no log file. With '
             'neither, the log is not looked at, and a test with nothing '
             'else to look at is skipped.',
    ),
    cfg.ListOpt(
        'record', default=[], item_type=cfg.types.String(),
        help='Records of decisions of all schedulers, readable where Tempest '
             'runs. Without any, tests of "nova-ext explain" are skipped.',
    ),
    cfg.BoolOpt(
        'specified_host_filter', default=True,
        help='Whether SpecifiedHostFilter is enabled. If not, its tests are '
             'skipped.',
    ),
    cfg.ListOpt(
        'hosts', default=[], item_type=cfg.types.String(),
        help='Compute hosts that a server of [compute] flavor_ref and '
             'image_ref fits on, in no other zone than the default. Tests '
             'of the hint requested_host boot on the first two, or on the '
             'first of each of ip_scheduler_groups. Empty: all that are up '
             'and enabled, by name.',
    ),
    cfg.BoolOpt(
        'hint_for_everyone', default=False,
        help='Whether the policy lets users who are neither admin nor '
             'manager use the hint requested_host.',
    ),
    cfg.ListOpt(
        'ip_scheduler_groups', default=[], item_type=_Group(),
        help='An address of a client in each group of IPScheduler, and the '
             'prefix of its hosts: 10.1.0.5:doc,2001:db8::5:ops. Requests '
             'carry the address in X-Forwarded-For, so it has to be the '
             'element that counts in this cloud. Empty where IPScheduler '
             'is not in use: its tests are skipped.',
    ),
]


class NovaExtPlugin(plugins.TempestPlugin):
    """Provide the tests and their options."""

    def load_tests(self):
        """Return the folder of the tests, and its top folder."""
        top = Path(__file__).parents[2]
        return str(Path(__file__).with_name('tests')), str(top)

    def register_opts(self, conf):
        """Add the options to Tempest's."""
        conf.register_opt(SERVICE_OPTION, group='service_available')
        conf.register_group(GROUP)
        conf.register_opts(OPTIONS, GROUP)

    def get_opt_lists(self):
        """Return the options for a sample of tempest.conf."""
        return [
            ('service_available', [SERVICE_OPTION]), (GROUP.name, OPTIONS),
        ]
