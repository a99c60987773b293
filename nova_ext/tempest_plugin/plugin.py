"""nova-ext's door to Tempest."""

from pathlib import Path

from tempest.test_discover import plugins

from nova_ext.tempest_plugin import config


class NovaExtPlugin(plugins.TempestPlugin):
    """Brings the tests and the options that they need."""

    def load_tests(self):
        """Where the tests are: their folder, and its top."""
        top = Path(__file__).parents[2]
        return str(Path(__file__).with_name('tests')), str(top)

    def register_opts(self, conf):
        """Add the options to Tempest's."""
        conf.register_opt(config.SERVICE_OPTION, group='service_available')
        conf.register_group(config.GROUP)
        conf.register_opts(config.OPTIONS, config.GROUP)

    def get_opt_lists(self):
        """The same, for a sample of tempest.conf."""
        return [
            ('service_available', [config.SERVICE_OPTION]),
            (config.GROUP.name, config.OPTIONS),
        ]
