"""What the tests of one process need not do again for each cloud."""

import copy
import functools
import gc
import itertools

import fixtures
from jsonschema import exceptions
from jsonschema import validators as validators_of_schemas
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
        self.useFixture(fixtures.MonkeyPatch(
            'oslo_policy.policy.Enforcer.register_default', _register
        ))
        self.useFixture(fixtures.MonkeyPatch('jsonschema.validate', _validate))
        self.useFixture(fixtures.MonkeyPatch(
            'nova.api.openstack.compute.routes.ROUTE_LIST', _list_routes()
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


def _register(enforcer, default):
    """Register a policy; oslo.policy copies all that belongs to it.

    It changes no part of it in place.
    """
    if default.name in enforcer.registered_rules:
        raise policy.DuplicatePolicyError(default.name)
    enforcer.registered_rules[default.name] = copy.copy(default)


def _list_routes():
    """Nova's routes, whose controllers are made once for each cloud.

    Nova makes one for each route and method.
    """
    makers = {}
    return tuple(
        (path, methods if isinstance(methods, str) else {
            method: [makers.setdefault(make, functools.cache(make)), action]
            for method, (make, action) in methods.items()
        }) for path, methods in routes.ROUTE_LIST
    )


#: Validators' classes by a schema's identity; the schema is kept with them.
_checked: dict[tuple[int, type | None], tuple[object, type]] = {}


def _validate(instance, schema, cls=None, **kwargs):
    """Validate; placement has a schema itself checked with each request.

    :param schema: a constant of a module.
    """
    key = id(schema), cls
    if key not in _checked:
        maker = cls or validators_of_schemas.validator_for(schema)
        maker.check_schema(schema)
        _checked[key] = schema, maker
    errors = _checked[key][1](schema, **kwargs).iter_errors(instance)
    if error := exceptions.best_match(errors):
        raise error


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
