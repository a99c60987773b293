"""Validators of our extra specs, for nova-api.

nova-api loads them through the entry-point group
``nova.api.extra_spec_validators``, where the package is installed beside it,
and asks them when a flavor's extra specs are set (from microversion 2.86).
"""

from typing import Any

from nova import exception
from nova.api.validation.extra_specs import base

from nova_ext.core.stats import requested_stats, requirement


class RequirementValidator(base.ExtraSpecValidator):
    """Refuses a requirement that StatsFilter could not read."""

    def validate(self, name: str, value: Any) -> None:
        """Check name and value.

        :raises nova.exception.ValidationError: with what is wrong.
        """
        super().validate(name, value)
        try:
            requirement.parse(value)
        except requirement.UnreadableError as error:
            raise exception.ValidationError(
                f'Validation failed; {name}={error}'
            ) from None


def register() -> list[base.ExtraSpecValidator]:
    """Give Nova the validators; Nova's name for it."""
    return [
        RequirementValidator(
            name=f'{requested_stats.PREFIX}{{name}}',
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
