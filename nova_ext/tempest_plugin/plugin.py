"""Register the tests, and the options that they read, with Tempest."""

from pathlib import Path

from oslo_config import cfg
from tempest.test_discover import plugins

SERVICE_OPTION = cfg.BoolOpt(
    'nova_ext', default=False,
    help='Whether the scheduler has nova-ext\'s filters, and enables '
         'SpecifiedHostFilter.',
)

GROUP = cfg.OptGroup('nova_ext', title='nova-ext in the cloud under test')

OPTIONS = [
    cfg.ListOpt(
        'scheduler_logs', default=[], item_type=cfg.types.String(),
        help='Log files of all schedulers, readable where Tempest runs.',
    ),
    cfg.StrOpt(
        'scheduler_journal_unit', default='',
        help='The systemd unit whose journal is the scheduler\'s log, such '
             'as devstack@n-sch; used where there is no log file. With '
             'neither, the log is not looked at, and a test with nothing '
             'else to look at is skipped.',
    ),
    cfg.StrOpt(
        'record', default='',
        help='The scheduler\'s record of decisions, readable where Tempest '
             'runs. Without it, tests of "nova-ext explain" are skipped.',
    ),
    cfg.BoolOpt(
        'hint_for_everyone', default=False,
        help='Whether the policy lets users who are neither admin nor '
             'manager use the hint requested_host.',
    ),
    cfg.DictOpt(
        'ip_scheduler_groups', default={},
        help='An address of a client in each group of IPScheduler, and the '
             'prefix of its hosts: 10.1.0.5:doc,10.2.0.5:ops. Requests '
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
