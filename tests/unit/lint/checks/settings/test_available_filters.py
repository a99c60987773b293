"""Test what is said of lines of available_filters."""

import yaml

from nova_ext.config_files import sources
from nova_ext.lint import linting
from tests.unit.lint import base

_OVERRIDES = """
nova_nova_conf_overrides:
  filter_scheduler:
    enabled_filters: ComputeFilter,GpuFilter
    available_filters:
      - nova.scheduler.filters.all_filters
      - nova.scheduler.filters.compute_filter.ComputeFilter
"""


class TestAvailableFilters(base.LintTestCase):
    """Apply the fix."""

    def lint_variables(self, text):
        """Return the fixes of NX203 for OpenStack-Ansible's variables."""
        path = self.write('user_variables.yml', text)
        report = linting.lint(
            sources.read([(sources.FILE, path)]), ask_nova=False
        )
        return [one.fix for one in report.findings if one.id == 'NX203']

    def test_yaml(self):
        """Write several lines as config_template takes them."""
        fix, = self.lint_variables(_OVERRIDES)
        variables = yaml.safe_load(_OVERRIDES)
        home = variables['nova_nova_conf_overrides']['filter_scheduler']
        written = yaml.safe_load(fix.removeprefix('write '))
        self.assertEqual(
            home['available_filters'], list(written['available_filters'])
        )
        home.update(written)
        self.assertEqual([], self.lint_variables(yaml.safe_dump(variables)))

    def test_template(self):
        """Leave a line alone that a deployment tool fills in."""
        self.assertEqual([], self.findings(
            '[filter_scheduler]\navailable_filters = {{ some_filters }}\n'
        ))
