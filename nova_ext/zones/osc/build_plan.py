"""Run openstack scheduler build plan create, list, show, delete and resume."""

import argparse
import textwrap
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cliff.columns import FormattableColumn
from osc_lib.command import command

from nova_ext.cli.output import DocumentLister
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.osc.arguments import add_deleted, add_object
from nova_ext.zones.osc import build_request
from nova_ext.zones.osc.build_report import (
    count_states,
    list_refused,
    list_zones,
    summarize,
)
from nova_ext.zones.osc.client import get_client

LIST_COLUMNS = ('ID', 'Name', 'State', 'Count', 'Servers', 'Created At')
COLUMNS = ('Number', 'Zone', 'Cost', 'State', 'Server ID', 'Reason')
_PLAN_COLUMNS = COLUMNS[:3]
#: States of a build that is not over, and of one that has failed or is gone.
_BUILDING, _FAILED, _DELETED = 'building', 'failed', 'deleted'
_GOING_ON = (_BUILDING, 'deleting')
NOT_RESUMABLE = (
    'not resumable: Keystone has made no trust, so that no server of this '
    'zone itself can be created in your name; "build plan resume" with a '
    'password makes one'
)
#: Letters of a message that is shown as progress.
_LETTERS = 300
#: Seconds between two looks at a build.
INTERVAL_S = 3.0

Table = tuple[Sequence[str], Iterable[Any]]


class _BuildLister(DocumentLister, command.Lister):
    """Show a build as a table of places and a tree of zones."""

    def show(self, build: Mapping[str, Any]) -> Table:
        """Return the rows of a build."""
        self.sentence = summarize(build)
        self.notes = [*list_zones(build['questions'])]
        if build['state'] == _BUILDING and not build['resumable']:
            self.notes.append(NOT_RESUMABLE)
        self.notes += list_refused(build['items'])
        self.document = build
        return COLUMNS, [
            (
                item['number'], item['zone'], show_cost(item), item['state'],
                item['server_id'] or '', item['reason'],
            ) for item in build['items']
        ]


class CreateBuildPlan(_BuildLister):
    """Create servers in the zones where they cost least."""

    #: Whether a dry run found too few offers for the build.
    would_fail = False

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        build_request.add_arguments(parser)
        _add_wait(parser)
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Return 1 for a dry run of a build that would fail."""
        return super().run(parsed_args) or int(self.would_fail)

    def take_action(self, parsed_args: argparse.Namespace) -> Table:
        manager: Any = self.app.client_manager
        answer = get_client(self).create_build(
            build_request.read(manager.sdk_connection, parsed_args),
            dry_run=parsed_args.dry_run,
        )
        if parsed_args.dry_run:
            return self._show_plan(answer['plan'], parsed_args)
        build = answer['build']
        if parsed_args.wait:
            build = _wait(self, build)
        if build['state'] == _DELETED:
            raise NovaExtError(f'{summarize(build)}: it was deleted meanwhile')
        if build['state'] == _FAILED:
            lines = [summarize(build), *list_zones(build['questions'])]
            raise NovaExtError('\n'.join(lines))
        return self.show(build)

    def _show_plan(
        self, plan: Mapping[str, Any], parsed_args: argparse.Namespace
    ) -> Table:
        places, count = plan['places'], parsed_args.count
        needed = parsed_args.min_count
        if needed is None:
            needed = count
        self.sentence = (
            f'{len(places)} of {pluralize(count, "server")} would find room'
        )
        self.would_fail = len(places) < needed
        if self.would_fail:
            self.sentence += (
                f'; the build would fail, as it needs {needed}: take a '
                f'smaller --min, or see below what each zone lacks'
            )
        self.notes = [*list_zones(plan['questions'])]
        self.document = {'sentence': self.sentence, **plan}
        return _PLAN_COLUMNS, [
            (place['number'], place['zone'], show_cost(place))
            for place in places
        ]


class _States(FormattableColumn[Any]):
    """Show numbers of servers by state."""

    def human_readable(self) -> str:
        """Return them as a sentence; JSON has the map."""
        return count_states(self._value)


class ListBuildPlans(command.Lister):
    """List the builds of the project, the newest first."""

    def take_action(self, parsed_args: argparse.Namespace) -> Table:
        return LIST_COLUMNS, [
            (
                build['id'], build['name'], build['state'], build['count'],
                _States(build['servers']), build['created_at'],
            ) for build in get_client(self).list_builds()
        ]


class ShowBuildPlan(_BuildLister):
    """Show a build, and what kept servers out of each zone."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_object(parser, 'build')
        _add_wait(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Table:
        build = get_client(self).find_build(parsed_args.build)
        return self.show(
            _wait(self, build) if parsed_args.wait else build
        )


class DeleteBuildPlan(command.Command):
    """Delete builds with all their servers."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_deleted(parser, 'build')
        parser.add_argument(
            '--wait', action='store_true',
            help='Wait until nothing of them is left',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        client = get_client(self)
        uuids = [client.find_build(text)['id'] for text in parsed_args.builds]
        for uuid in uuids:
            client.delete_build(uuid)
        for uuid in uuids if parsed_args.wait else ():
            _wait(self, client.get_build(uuid))


class ResumeBuildPlan(command.Command):
    """Let a build go on in your name."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_object(parser, 'build')
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        client = get_client(self)
        client.resume_build(client.find_build(parsed_args.build)['id'])


def show_cost(place: Mapping[str, Any]) -> Any:
    """Return the cost; empty for users who may not see it."""
    return '' if place['cost'] is None else place['cost']


def _wait(
    run: command.Command, build: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Wait until a build is over; print its progress."""
    last = ''
    while build['state'] in _GOING_ON:
        # The message may have a sentence for each server.
        message = textwrap.shorten(build['message'], _LETTERS, placeholder='…')
        progress = summarize({**build, 'message': message})
        if progress != last:
            run.app.stderr.write(f'{progress}\n')
            last = progress
        time.sleep(INTERVAL_S)
        build = get_client(run).get_build(build['id'])
    return build


def _add_wait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        '--wait', action='store_true', help='Wait until the build is over'
    )
