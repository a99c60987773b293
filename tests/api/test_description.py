"""Send generated requests, and check the answers."""

import hypothesis
import schemathesis
from oslo_config import cfg
from schemathesis import checks
from schemathesis.specs.openapi import checks as of_openapi

from nova_ext.api import service
from tests.unit.api.base import ApiTestCase, at, failed, placed
from tests.unit.record import samples

EXAMPLES = 40
CHECKS = [
    checks.not_a_server_error,
    of_openapi.status_code_conformance,
    of_openapi.content_type_conformance,
    of_openapi.response_schema_conformance,
    of_openapi.negative_data_rejection,
]


def takes_something(described):
    """Say whether an operation takes more than a version."""
    return 'requestBody' in described or any(
        parameter['in'] != 'header'
        for parameter in described.get('parameters', ())
    )


class DescriptionTest(ApiTestCase):
    """Run schemathesis over all operations."""

    def setUp(self):
        """Describe the application."""
        super().setUp()
        self.conf.config(group='nova_ext_zones', allow_http=True)
        self.ship(placed(), *(failed(at=at(second)) for second in range(9)))
        self.schema = schemathesis.openapi.from_wsgi(
            '/v1/openapi.json', service.build(cfg.CONF, self.backends)
        )

    def hold(self, mode, who):
        """Send every operation data that fits, or does not.

        :returns: the statuses that came, by operation.
        """
        seen = {}
        for found in self.schema.get_all_operations():
            operation = found.ok()
            if (
                mode is schemathesis.GenerationMode.NEGATIVE
                and not takes_something(operation.definition.raw)
            ):
                continue  # it takes nothing that could be wrong
            statuses = seen.setdefault(operation.label, set())
            self.examples(operation, mode, who, statuses)
        return seen

    def examples(self, operation, mode, who, statuses):
        """Send one operation many requests."""

        @hypothesis.settings(
            max_examples=EXAMPLES, deadline=None, database=None,
            derandomize=True, suppress_health_check=list(
                hypothesis.HealthCheck
            ),
        )
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def ask(case):
            response = case.call(headers={'X-Auth-Token': who})
            statuses.add(response.status_code)
            case.validate_response(response, checks=CHECKS)

        ask()

    def test_fit(self):
        """Answer data that fits."""
        seen = self.hold(schemathesis.GenerationMode.POSITIVE, 'admin')
        for label, statuses in seen.items():
            self.assertLess(max(statuses), 500, label)
            if '{' not in label:
                self.assertTrue(statuses & {200, 201, 202}, label)
        self.ask(f'/v1/servers/{samples.SERVER}/explanation')

    def test_unfit(self):
        """Refuse data that does not fit."""
        seen = self.hold(schemathesis.GenerationMode.NEGATIVE, 'admin')
        for label, statuses in seen.items():
            self.assertLess(max(statuses), 500, label)
            self.assertTrue(statuses & {400, 404, 406}, label)

    def test_member(self):
        """Answer members with errors as described."""
        seen = self.hold(schemathesis.GenerationMode.POSITIVE, 'member')
        self.assertEqual({403}, seen['POST /v1/capacities'])
