"""What the tests of one process need not do again for each cloud."""

import copy
import functools
import gc
import itertools

import fixtures
from nova.api.openstack.compute import routes
from nova.api.validation import validators
from oslo_policy import policy

_clouds = itertools.count()


class SharedFixture(fixtures.Fixture):
    """Share it; use this before anything of a cloud is made."""

    def _setUp(self):  # noqa: N802  fixtures' name
        if next(_clouds) == 1:
            # All modules are there by now. Python's collector would look
            # through them a few times in each test.
            gc.collect()
            gc.freeze()
        self.useFixture(fixtures.MonkeyPatch(
            'oslo_policy.policy.parse_file_contents', _parse
        ))
        # Nova's API has it under two URLs.
        router = functools.cache(routes.APIRouterV21)
        self.useFixture(fixtures.MonkeyPatch(
            'nova.api.openstack.compute.routes.APIRouterV21.factory',
            lambda *_: router(),
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova.api.validation.validators._SchemaValidator', _validator
        ))


_parsed = functools.lru_cache(maxsize=16)(policy.parse_file_contents)


def _parse(data):
    """Parse a policy file; two of Nova's fixtures write the same ones."""
    return copy.copy(_parsed(data))


_make_validator = validators._SchemaValidator
_validators: dict[tuple[int, bool, bool], object] = {}


def _validator(schema, relaxed=False, is_body=True):
    """Return a validator; Nova makes one, and its class, for each request.

    :param schema: a constant of a module, and known by its identity.
    """
    key = id(schema), relaxed, is_body
    if key not in _validators:
        _validators[key] = _make_validator(schema, relaxed, is_body)
    return _validators[key]
