"""Decisions that were made: listed, shown, explained."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib import parse

from sqlalchemy.orm import Session

from nova_ext.api.http import errors
from nova_ext.api.http.request import Asked
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.redaction import unnamed
from nova_ext.core.explanation.text_format import many
from nova_ext.decision_database import decisions
from nova_ext.decision_database.models import Line
from nova_ext.html_report import render
from nova_ext.policy import rules

#: Decisions of a page, if not told otherwise.
PAGE = 100


def list_(asked: Asked) -> dict[str, Any]:
    """Decisions, the newest first, in pages."""
    limit = asked.query.get('limit', PAGE)
    with _reading(asked) as session:
        wanted = _wanted(asked)
        if (marker := asked.query.get('marker')) is not None:
            _visible(asked, session, marker, errors.invalid(
                f'marker {marker} is no decision that can be listed'
            ))
        lines = decisions.listed(
            session, **wanted, before=marker or 0, limit=limit + 1
        )
        shown = [_summary(asked, line) for line in lines[:limit]]
        answer: dict[str, Any] = {'decisions': shown}
        if 'server' in wanted or 'request' in wanted:
            answer['matches'] = decisions.count(session, **wanted)
            answer['notes'] = _dropped(asked, session)
    if len(lines) > limit:
        query = {**asked.query, 'marker': shown[-1]['id']}
        answer['decisions_links'] = [{
            'rel': 'next',
            'href': f'{asked.root}/v1/decisions?{parse.urlencode(query)}',
        }]
    return answer


def show(asked: Asked) -> dict[str, Any]:
    """One decision, explained."""
    with _reading(asked) as session:
        line = _visible(asked, session, asked.path['decision_id'])
        told = serialized.plain(_decision(asked, session, line))
        return {'decision': {
            **_summary(asked, line), 'explanation': told,
        }}


def page(asked: Asked) -> str:
    """One decision as a page for a browser."""
    with _reading(asked) as session:
        line = _visible(asked, session, asked.path['decision_id'])
        return render.render(
            _decision(asked, session, line), asked.query.get('server', '')
        )


def explanation(asked: Asked) -> dict[str, Any]:
    """Why a server is where it is, or nowhere: the newest decision."""
    server = asked.path['server_id']
    with _reading(asked) as session:
        about = {'server': server, 'project': _project(asked)}
        lines = decisions.listed(session, **about, limit=1)
        if not lines:
            raise errors.not_found(
                f'decision about server {server}: there is no such server of '
                + '; '.join([
                    'yours, or its decision is not in the database',
                    *_dropped(asked, session),
                ])
            )
        told = serialized.plain(
            _decision(asked, session, lines[0]), server,
            decisions.count(session, **about) - 1, _dropped(asked, session),
        )
        return {'explanation': {'decision_id': lines[0].id, **told}}


@contextmanager
def _reading(asked: Asked) -> Iterator[Session]:
    with asked.backends.database().reading() as session:
        yield session


def _wanted(asked: Asked) -> dict[str, str]:
    """What is looked for, within what the caller may see."""
    wanted = {
        name: asked.query[name]
        for name in ('server', 'request', 'project', 'outcome')
        if name in asked.query
    }
    if own := _project(asked):
        if wanted.get('project', own) != own:
            asked.require(rules.ALL_PROJECTS)
        wanted['project'] = own
    return wanted


def _project(asked: Asked) -> str:
    """The only project that the caller may see; empty: all."""
    if asked.may(rules.ALL_PROJECTS):
        return ''
    own = asked.context.project_id
    if not own:
        asked.require(rules.ALL_PROJECTS)
    return str(own)


def _visible(
    asked: Asked, session: Session, number: int,
    absent: errors.HttpError | None = None,
) -> Line:
    """A decision that the caller may see; others are as if not there."""
    line = session.get(Line, number)
    own = _project(asked)
    if line is None or (own and line.project_id != own):
        raise absent or errors.not_found(f'decision {number}')
    return line


def _dropped(asked: Asked, session: Session) -> list[str]:
    """How many decisions are missing, to who may see those of all projects.

    Whose they were, and when, is not known.
    """
    dropped = decisions.dropped(session) if not _project(asked) else 0
    return [
        f'{many(dropped, "decision")} dropped so far, counted over all '
        f'schedulers'
    ] if dropped else []


def _decision(asked: Asked, session: Session, line: Line) -> Decision:
    made = decisions.read(session, line)
    return made if asked.may(rules.HOSTS) else unnamed(made)


def _summary(asked: Asked, line: Line) -> dict[str, Any]:
    made = decisions.stored(line)
    named = asked.may(rules.HOSTS)
    return {
        'id': line.id, 'at': made.at, 'request_id': made.request_id,
        'project_id': made.project_id, 'servers': made.servers,
        'topic': made.topic, 'operation': made.operation,
        'outcome': made.outcome,
        'scheduler': str(made.by.get('host', '')) if named else '',
        'sentence': explain(made, hosts=named).sentence,
    }
