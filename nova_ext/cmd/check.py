"""Run nova-ext check: check a cloud against a file of rules."""

import argparse
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli import cloud as openstack_cloud
from nova_ext.cli.output import DocumentLister
from nova_ext.cmd import output_file, past
from nova_ext.cmd.ask_again import import_simulation
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize, sanitize

COLUMNS = ('Line', 'Rule', 'Answer', 'Why')
#: Exit status where a rule fails, and where it is not known whether all hold.
FAILS, UNKNOWN = 1, 2


class CheckRules(DocumentLister):
    """Say which rules of a file hold, and why others do not.

    Asks a running nova-ext-scheduler through nova-ext-api; with
    --config-file, what a scheduler with that configuration would decide. It
    changes nothing. Reads the cloud that OS_CLOUD names, as an administrator;
    with --journal it asks no cloud, but what a journal knows of it.
    Exit status: 0 if all rules hold, 1 if one fails, 2 if it is not known of
    one, or the file is wrong.
    """

    _status = 0

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the options."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'rules', metavar='RULES.yaml', help='the file of rules',
        )
        parser.add_argument(
            '--init', action='store_true',
            help='write the file, which is not there yet, with rules that '
                 'hold now',
        )
        parser.add_argument(
            '--junit', metavar='FILE', type=Path,
            help='also write the answers as JUnit XML',
        )
        parser.add_argument(
            '--config-file', metavar='FILE', action='append', default=[],
            help='ask no scheduler: decide here as a nova-scheduler would '
                 'that is started with this file; may be repeated; needs '
                 'Nova, and its databases',
        )
        parser.add_argument(
            '--config-dir', metavar='DIR', action='append', default=[],
            help='as --config-file, with a folder of such files',
        )
        past.add_options(parser)
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return the exit status."""
        try:
            return super().run(parsed_args) or self._status
        except NovaExtError as error:
            self.app.LOG.error(error, exc_info=self.app.options.debug)
            return UNKNOWN

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Judge each rule, or write the file."""
        past.check_options(parsed_args)
        output_file.check(parsed_args.junit, '--junit', *map(Path, (
            parsed_args.rules, *parsed_args.config_file,
            *parsed_args.config_dir, *filter(None, [parsed_args.journal]),
        )))
        if parsed_args.init:
            return self._write_first(parsed_args)
        # They import jsonschema, which takes a while.
        from nova_ext.cloud_rules import junit, rules_file, verdicts

        rules = rules_file.read(parsed_args.rules, verdicts.SCHEMAS)
        progress, judged = Progress(), list[verdicts.RuleVerdict]()
        with _connect(parsed_args, progress) as cloud:
            for verdict in verdicts.judge(rules, cloud):
                judged.append(verdict)
                if len(judged) % 100 == 0:
                    progress.say(f' {len(judged)} of {len(rules)} rules')
        if parsed_args.junit:
            junit.write(parsed_args.junit, judged)
        answers = [verdict.answer for verdict in judged]
        if verdicts.RuleState.UNKNOWN in answers:
            self._status = UNKNOWN
        elif verdicts.RuleState.FAILS in answers:
            self._status = FAILS
        held = answers.count(verdicts.RuleState.HOLDS)
        self.sentence = (
            f'{held} of {pluralize(len(rules), "rule")} '
            f'{"holds" if len(rules) == 1 else "hold"}'
        )
        self.document = {
            'sentence': self.sentence,
            'rules': [verdict.to_dict() for verdict in judged],
        }
        return COLUMNS, [
            (
                verdict.rule.location.line, sanitize(verdict.rule.name),
                str(verdict.answer), sanitize(verdict.why),
            ) for verdict in judged
        ]

    def _write_first(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        from nova_ext.cloud_rules import first_file

        progress, path = Progress(), Path(parsed_args.rules)
        with _connect(parsed_args, progress) as cloud:
            count = first_file.write(path, cloud, progress)
        self.sentence = f'{path} has {pluralize(count, "rule")}'
        self.document = {'sentence': self.sentence, 'rules': []}
        return COLUMNS, []


@contextlib.contextmanager
def _connect(
    parsed_args: argparse.Namespace, progress: Progress
) -> Iterator[Any]:
    """Give a block the cloud, and who answers for its scheduler."""
    if parsed_args.journal:
        with past.heard():
            yield _read_journal(parsed_args)
        return
    from nova_ext.cloud_rules.cloud import JudgedCloud
    from nova_ext.doctor import cloud as doctor_cloud
    from nova_ext.doctor.configuration import Configuration
    from nova_ext.doctor.facts import CloudFacts

    facts = CloudFacts(doctor_cloud.connect(), Configuration(), progress)
    with contextlib.ExitStack() as stack:
        connection = stack.enter_context(openstack_cloud.connect())
        scheduler = stack.enter_context(
            _find_scheduler(parsed_args, connection)
        )
        yield JudgedCloud(connection, facts, scheduler)


def _read_journal(parsed_args: argparse.Namespace) -> Any:
    """Return what a journal knows of a cloud.

    :raises NovaExtError: nothing, or another source is named as well.
    """
    from nova_ext.cloud_rules.past import JournaledCloud

    if parsed_args.config_file or parsed_args.config_dir:
        raise NovaExtError(
            'with --journal its own configuration decides: leave out '
            '--config-file and --config-dir; nova-ext replay takes them'
        )
    cloud = past.read(parsed_args)
    return JournaledCloud(cloud, past.make_scheduler(
        cloud.newest, has_cloud=cloud.has_cloud
    ))


@contextlib.contextmanager
def _find_scheduler(
    parsed_args: argparse.Namespace, connection: Any
) -> Iterator[Any]:
    if not (parsed_args.config_file or parsed_args.config_dir):
        from nova_ext.cloud_rules.api_scheduler import ApiScheduler

        yield ApiScheduler(connection)
        return
    offline_simulation = import_simulation()
    access = connection.session.auth.get_access(connection.session)
    with offline_simulation.serve(
        parsed_args.config_file, parsed_args.config_dir, {
            'user_id': access.user_id, 'project_id': access.project_id,
            'roles': list(access.role_names),
        },
    ) as scheduler:
        yield scheduler
