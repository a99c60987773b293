"""Validate the extra specs of nova-ext in nova-api.

nova-api loads the validators through the entry-point group
``nova.api.extra_spec_validators``, where the package is installed with it.
It runs them when a flavor's extra specs are set (from microversion 2.86).
"""

from typing import Any

from nova import exception
from nova.api.validation.extra_specs import base

from nova_ext.core.stats import requirement


class RequirementValidator(base.ExtraSpecValidator):
    """Refuse a requirement that StatsFilter could not read."""

    def validate(self, name: str, value: Any) -> None:
        """Check name and value.

        :raises nova.exception.ValidationError: says what is wrong.
        """
        super().validate(name, value)
        try:
            requirement.parse_requirement(value)
        except requirement.UnreadableError as error:
            raise exception.ValidationError(
                f'Validation failed; {name}={error}'
            ) from None


def register() -> list[base.ExtraSpecValidator]:
    """Return the validators; Nova calls it."""
    return [
        RequirementValidator(
            name=f'{requirement.PREFIX}{{name}}',
            description='Require that a stat, which is pushed of the host, '
            'meets a requirement, such as <= 8. Requires the StatsFilter '
            'scheduler filter of nova-ext.',
            parameters=[{
                'name': 'name',
                'description': 'The name of the stat',
                'pattern': r'[\w.-]+',
            }],
            value={'type': str},
        ),
    ]
