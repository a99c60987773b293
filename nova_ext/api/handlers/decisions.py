"""List, show and explain recorded decisions."""

from typing import Any
from urllib import parse

from sqlalchemy.orm import Session

from nova_ext.api.http import errors
from nova_ext.api.http.fair_share import Turn
from nova_ext.api.http.request import Request
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import group_members, serialized
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.decisions import bodies, queries
from nova_ext.decisions.models import StoredDecision
from nova_ext.html_report import render
from nova_ext.policy import rules

#: Decisions of a page, by default.
PAGE = 100
#: To read and explain a page of many decisions.
TURN = Turn()


def list_(request: Request) -> dict[str, Any]:
    """List decisions, the newest first, in pages.

    A page ends at its limit, or where it has read enough of the database.
    """
    limit = request.query.get('limit', PAGE)
    with (
        TURN.take(is_long=limit > bodies.PORTION),
        request.backends.database().reading() as session,
    ):
        query = _build_query(request)
        if (marker := request.query.get('marker')) is not None:
            _get_row(request, session, marker, errors.invalid(
                f'marker {marker} is no decision that can be listed'
            ))
        rows = queries.find(
            session, **query, before=marker or 0, limit=limit + 1
        )
        shown = []
        for number, decision in bodies.read(session, rows[:limit]):
            shown.append(_summarize(request, number, decision))
        answer: dict[str, Any] = {'decisions': shown}
        if 'server' in query or 'request' in query:
            answer['matches'] = queries.count(session, **query)
            answer['notes'] = _note_dropped(request, session)
    if shown and len(rows) > len(shown):
        query = {**request.query, 'marker': shown[-1]['id']}
        answer['decisions_links'] = [{
            'rel': 'next',
            'href': f'{request.root_url}/v1/decisions?'
                    f'{parse.urlencode(query)}',
        }]
    return answer


def show(request: Request) -> dict[str, Any]:
    """Show and explain one decision."""
    with request.backends.database().reading() as session:
        row = _get_row(request, session, request.path['decision_id'])
        decision = bodies.load(session, row)
        return {'decision': {
            **_summarize(request, row.id, decision),
            'explanation': serialized.serialize(
                decision, **_get_view(request)
            ),
        }}


def page(request: Request) -> str:
    """Show one decision as a page for a browser."""
    with request.backends.database().reading() as session:
        row = _get_row(request, session, request.path['decision_id'])
        return render.render(
            bodies.load(session, row), request.query.get('server', ''),
            **_get_view(request),
        )


def explanation(request: Request) -> dict[str, Any]:
    """Explain the newest decision about a server, or one request's."""
    server = request.path['server_id']
    with request.backends.database().reading() as session:
        query = {'server': server, 'project': _get_only_project(request)}
        wanted = request.query.get('request', '')
        rows, clocks = queries.find_in_order(
            session, **query, request=wanted
        )
        dropped = [*clocks, *_note_dropped(request, session)]
        if not rows:
            raise errors.not_found(
                f'decision about server {server}'
                f'{f" of request {wanted}" if wanted else ""}: there is no '
                f'such server of ' + '; '.join([
                    'yours, or its decision is not in the database', *dropped,
                ])
            )
        decision = bodies.load(session, rows[0])
        number = rows[0].id
        group, remark = bodies.list_group(session, decision)
        members = group_members.describe_in_flight(
            decision, group, hosts=request.allows(rules.HOSTS), remark=remark,
        )
        older = (
            queries.count_following(session, number, **query) if wanted
            else queries.count(session, **query) - 1
        )
    notes = filter(None, [_diagnose(request, decision), *members, *dropped])
    return {'explanation': {
        'decision_id': number,
        **serialized.serialize(
            decision, server, older, list(notes), **_get_view(request)
        ),
    }}


def _diagnose(request: Request, decision: Decision) -> str:
    """Have placement asked what it left out, for who may see hosts.

    :returns: a note why it was not; empty where there is no need.
    """
    if not request.allows(rules.HOSTS):
        return ''
    return placement_diagnosis.diagnose_past(
        decision, lambda *query: request.backends.scheduler().diagnose(
            request.context, *query
        )
    )


def _build_query(request: Request) -> dict[str, str]:
    """Return what to look for, within what the caller may see."""
    query = {
        name: request.query[name]
        for name in ('server', 'request', 'project', 'outcome')
        if name in request.query
    }
    if own := _get_only_project(request):
        if query.get('project', own) != own:
            request.require(rules.ALL_PROJECTS)
        query['project'] = own
    return query


def _get_only_project(request: Request) -> str:
    """Return the only project that the caller may see; empty: all."""
    if request.allows(rules.ALL_PROJECTS):
        return ''
    own = request.context.project_id
    if not own:
        request.require(rules.ALL_PROJECTS)
    return str(own)


def _get_row(
    request: Request, session: Session, decision_id: int,
    absent: errors.HttpError | None = None,
) -> StoredDecision:
    """Return a decision that the caller may see.

    :param absent: raised for any other decision; by default it is not found.
    """
    row = session.get(StoredDecision, decision_id)
    own = _get_only_project(request)
    if row is None or (own and row.project_id != own):
        raise absent or errors.not_found(f'decision {decision_id}')
    return row


def _note_dropped(request: Request, session: Session) -> list[str]:
    """Note how many decisions are missing, for who may see all projects.

    Their projects and times are not known.
    """
    dropped = (
        0 if _get_only_project(request) else queries.count_dropped(session)
    )
    return [
        f'{pluralize(dropped, "decision")} dropped so far, counted over all '
        f'schedulers'
    ] if dropped else []


def _get_view(request: Request) -> dict[str, Any]:
    """Return for whom to explain: whether for operators, and the caller."""
    return {
        'hosts': request.allows(rules.HOSTS),
        'reader': request.context.user_id or '',
    }


def _summarize(
    request: Request, number: int, decision: Decision
) -> dict[str, Any]:
    view = _get_view(request)
    return {
        'id': number, 'at': decision.at, 'request_id': decision.request_id,
        'project_id': decision.project_id, 'servers': decision.servers,
        'topic': decision.topic, 'operation': decision.operation,
        'outcome': decision.outcome,
        'scheduler': str(decision.by.get('host', '')) if view['hosts'] else '',
        'sentence': explain(decision, **view).sentence,
    }
