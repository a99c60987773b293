"""Look up what rules name: flavors, aggregates, projects, hosts."""

import argparse
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from nova_ext.cli import boot, cloud
from nova_ext.cloud_rules.scheduler import Scheduler
from nova_ext.core.base.errors import NovaExtError, suggest_names
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import Aggregate


class JudgedCloud:
    """Look up names, as the administrator that OS_CLOUD names.

    :param connection: of openstacksdk.
    :param facts: what doctor reads, too.
    :param scheduler: who answers what would be decided.
    """

    def __init__(
        self, connection: Any, facts: CloudFacts, scheduler: Scheduler
    ) -> None:
        self._connection = connection
        self._facts = facts
        self.scheduler = scheduler

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Return the hosts that are mapped to a cell."""
        return frozenset(node.host for node in self._facts.hypervisors)

    @property
    def aggregates(self) -> list[Aggregate]:
        """Return all host aggregates."""
        return self._facts.aggregates

    @property
    def flavors(self) -> Mapping[str, Mapping[str, str]]:
        """Return the extra specs of all flavors, by name."""
        return self._facts.flavors

    def get_aggregate(self, name: str) -> Aggregate:
        """Return an aggregate.

        :raises NovaExtError: for none of this name, or several.
        """
        named = [each for each in self.aggregates if each.name == name]
        if len(named) != 1:
            known = {each.name for each in self.aggregates}
            raise NovaExtError(
                f'{len(named)} aggregates are named {name}' if named else
                f'there is no aggregate {name}; {suggest_names(name, known)}'
            )
        return named[0]

    def build_request(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a boot by a rule's fields would request.

        :raises NovaExtError: for what is not there.
        """
        try:
            return dict(self._build_request(fields))
        except NovaExtError:
            raise
        except Exception as error:
            raise NovaExtError(cloud.describe(error)) from error

    def _build_request(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        shown = boot.get_flavor(self._connection.compute, fields['flavor'])
        if 'extra_specs' not in shown:
            raise NovaExtError(
                f'the extra specs of flavor {fields["flavor"]} can\'t be '
                f'read: use the credentials of an administrator'
            )
        request = {
            'flavor': boot.convert_flavor(shown),
            'hints': fields.get('with hints', {}),
            'availability_zone': fields.get('in zone', ''),
        }
        if image := fields.get('with image'):
            request['image'] = boot.convert_image(
                boot.get_image(self._connection, argparse.Namespace(
                    image=image, image_properties=None
                ))
            )
        if project := fields.get('for project'):
            request['project_id'] = self._get_project(project)
        return {name: value for name, value in request.items() if value}

    def _get_project(self, name: str) -> str:
        return str(self._connection.identity.find_project(
            name, ignore_missing=False
        ).id)
