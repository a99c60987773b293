"""Write verdicts as JUnit XML, which CI systems read."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from nova_ext.cloud_rules.verdicts import RuleState, RuleVerdict
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import sanitize

#: Element of a test case by what became of its rule.
_ELEMENTS = {RuleState.FAILS: 'failure', RuleState.UNKNOWN: 'error'}


def write(path: Path, verdicts: Sequence[RuleVerdict]) -> None:
    """Write a file with one test case a rule.

    :raises NovaExtError: it can't be written.
    """
    answers = [verdict.answer for verdict in verdicts]
    suite = ElementTree.Element('testsuite', {
        'name': 'nova-ext check', 'tests': str(len(answers)),
        'failures': str(answers.count(RuleState.FAILS)),
        'errors': str(answers.count(RuleState.UNKNOWN)),
    })
    for verdict in verdicts:
        location = verdict.rule.location
        case = ElementTree.SubElement(suite, 'testcase', {
            'name': sanitize(verdict.rule.name), 'classname': location.file,
            'file': location.file, 'line': str(location.line),
        })
        if element := _ELEMENTS.get(verdict.answer):
            why = sanitize(verdict.why)
            ElementTree.SubElement(case, element, {'message': why}).text = why
    ElementTree.indent(suite)
    try:
        ElementTree.ElementTree(suite).write(
            path, encoding='utf-8', xml_declaration=True
        )
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error
