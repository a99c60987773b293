"""Create, list, show, resume and delete builds of servers over zones."""

import contextlib
import dataclasses
import hashlib
import json
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from oslo_config import cfg
from sqlalchemy.orm import Session

from nova_ext.api.http import errors
from nova_ext.api.http.fair_share import FairShare
from nova_ext.api.http.request import Request
from nova_ext.core.request.masking import mask_passwords
from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.policy import rules
from nova_ext.zones import policies, registry, states
from nova_ext.zones.builds import planning, trusts
from nova_ext.zones.builds.planning import BuildPlan, NewBuild
from nova_ext.zones.offers.gathering import open_gathering
from nova_ext.zones.offers.offer import redact
from nova_ext.zones.offers.own_cloud import open_caller_cloud
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables import builds
from nova_ext.zones.tables.models import Build, Item, PlannedBuild

#: Builds that a process plans at one time: each holds a thread for as long as
#: zones are asked.
SHARE = FairShare(at_once=6, of_one=3)
#: Trusts that a process asks Keystone for at one time: it may hang.
TRUSTS = FairShare(at_once=6, of_one=3)
#: Builds of one answer.
PAGE = 100
#: Fields of a body that are not the servers' own.
_OF_BUILD = ('name', 'count', 'min_count')
#: Letters of an owner's opaque id.
_OWNER = 32
#: Seconds after its time in which a plan still counts whose process has died:
#: as long as its offers hold room by default.
_DEAD_S = 300
#: Seconds for which a trust to delete servers lasts.
_UNDO_S = 3600
#: States of builds that can be deleted.
_DELETABLE = states.list_builds_before(states.DELETING)


def create(request: Request) -> tuple[dict[str, Any], int]:
    """Create servers in the zones where they cost least, or plan it only."""
    is_dry = request.body.get('dry_run', False)
    if is_dry:
        request.require(policies.DRY_RUN)
    new = _read(request)
    if is_dry and new.count > MAX_SLOTS:
        raise errors.invalid(
            f'a dry run is of {MAX_SLOTS} servers at most: it holds no room '
            f'beside which more could be planned'
        )
    with contextlib.ExitStack() as unused, SHARE.hold(
        request.context.project_id
    ):
        if not is_dry:
            _reserve(request, new)
            unused.callback(_end_planning, request, new)
        # Without one, this zone's own hosts can't be used. A dry run asks for
        # it, too: it says what a build would do.
        with contextlib.suppress(trusts.TrustRefusedError):
            new = dataclasses.replace(new, trust_id=_create_trust(
                request, int(time.time()) if is_dry else new.ends_at
            ))
        if new.trust_id is not None:
            unused.callback(trusts.end_trust, new.trust_id)
        gathering = open_gathering(
            request.backends,
            None if new.trust_id is None else open_caller_cloud(request.auth),
        )
        plan = planning.make_plan(
            gathering, request.context, new,
            cfg.CONF.nova_ext_builds.plan_limit_s, hold=not is_dry,
        )
        if is_dry:
            return {'plan': _describe_plan(request, plan)}, 200
        unused.callback(gathering.give_back, request.context, plan.offers)
        build = planning.make_build(request.context, new, plan)
        shown = _describe(request, build)
        with request.backends.database().writing() as session:
            builds.add(session, build)
        unused.pop_all()
    return shown, 202


def list_(request: Request) -> dict[str, Any]:
    """List the builds of the project, the newest first."""
    project = request.context.project_id or ''
    marker = request.query.get('marker', '')
    with request.backends.database().reading() as session:
        if marker and builds.get(session, marker, project) is None:
            raise errors.invalid(f'marker {marker} is no build of yours')
        listed = builds.list_builds(
            session, project, request.query.get('limit', PAGE), marker
        )
        counts = builds.count_items(session, [each.uuid for each in listed])
        return {'builds': [
            _summarize(each, counts.get(each.uuid, {})) for each in listed
        ]}


def show(request: Request) -> dict[str, Any]:
    """Show a build, its servers, and what each zone answered."""
    return _show(request, request.path['build_id'])


def delete(request: Request) -> None:
    """Delete a build with all its servers; nova-ext-builder does it."""
    uuid = request.path['build_id']
    database = request.backends.database()
    trust_id = None
    with contextlib.ExitStack() as unused:
        while True:
            with database.reading() as session:
                build = _get(session, uuid, request)
                if build.state not in _DELETABLE:
                    return
                lacks_trust = trust_id is None and trusts.needs_trust(build)
                values: dict[str, Any] = {}
                if not build.items:
                    values = {'state': states.DELETED}
            if lacks_trust:
                trust_id = _create_trust(request, int(time.time()) + _UNDO_S)
                unused.callback(trusts.end_trust, trust_id)
            if trust_id is not None:
                values['trust_id'] = trust_id
            with database.writing() as session:
                changed = builds.change(
                    session, uuid, _DELETABLE, None,
                    **{'state': states.DELETING, **values},
                )
                build = _get(session, uuid, request)
                if changed and not trusts.needs_trust(build):
                    unused.pop_all()
                    return
                # A builder has ended its trust meanwhile, or another request
                # has deleted it.
                session.rollback()


def resume(request: Request) -> dict[str, Any]:
    """Let a build that is not over go on in the name of the caller.

    An earlier trust is left to its end: a builder may use it at this moment.
    """
    uuid = request.path['build_id']
    database = request.backends.database()
    with database.reading() as session:
        build = _get(session, uuid, request)
        ends_at = max(build.ends_at, int(time.time()) + _UNDO_S)
        if build.state not in states.WORKED_ON:
            raise _over()
    trust_id = _create_trust(request, ends_at)
    with contextlib.ExitStack() as unused:
        unused.callback(trusts.end_trust, trust_id)
        with database.writing() as session:
            if not builds.change(
                session, uuid, states.WORKED_ON, trust_id=trust_id
            ):
                raise _over()
        unused.pop_all()
    return _show(request, uuid)


def _read(request: Request) -> NewBuild:
    fields: Mapping[str, Any] = request.body['build']
    own_uuid = registry.get_own_uuid(request.backends.database())
    build = ServerSpec.from_dict({
        'owner': _name_owner(own_uuid, request.context.user_id),
        **{name: value for name, value in fields.items()
           if name not in _OF_BUILD},
    })
    count = fields['count']
    min_count = fields.get('min_count', count)
    if min_count > count:
        raise errors.invalid(
            f'min_count is {min_count}, more than count, {count}'
        )
    ends_at = int(time.time()) + cfg.CONF.nova_ext_builds.build_timeout_s
    return NewBuild(own_uuid, fields['name'], build, count, min_count, ends_at)


def _name_owner(own_uuid: str, user_id: str | None) -> str:
    """Return an id of the user that tells other zones nothing."""
    text = f'{own_uuid} {user_id}'
    return hashlib.sha256(text.encode()).hexdigest()[:_OWNER]


def _create_trust(request: Request, ends_at: int) -> str:
    with TRUSTS.hold(request.context.project_id):
        return trusts.create_trust(request.auth, ends_at)


def _reserve(request: Request, new: NewBuild) -> None:
    """Count a build's servers as the project's while it is planned."""
    group = cfg.CONF.nova_ext_builds
    now = int(time.time())
    planned = PlannedBuild(
        uuid=new.uuid, project_id=request.context.project_id or '',
        servers=new.count, until=now + group.plan_limit_s + _DEAD_S,
    )
    try:
        with request.backends.database().writing() as session:
            builds.add_planned(
                session, planned, group.max_servers_per_project, now
            )
    except builds.TooManyServersError as error:
        raise errors.HttpError(403, 'quota_exceeded', str(error)) from error


def _end_planning(request: Request, new: NewBuild) -> None:
    with request.backends.database().writing() as session:
        builds.drop_planned(session, new.uuid)


def _over() -> errors.HttpError:
    return errors.HttpError(
        409, 'conflict', 'the build is over: there is nothing to resume'
    )


def _show(request: Request, uuid: str) -> dict[str, Any]:
    with request.backends.database().reading() as session:
        return _describe(request, _get(session, uuid, request))


def _get(session: Session, uuid: str, request: Request) -> Build:
    build = builds.get(session, uuid, request.context.project_id or '')
    if build is None:
        raise errors.not_found(f'build {uuid}')
    return build


def _describe_plan(request: Request, plan: BuildPlan) -> dict[str, Any]:
    costs = request.allows(rules.CAPACITY)
    return {
        'places': [
            {'number': number, 'zone': each.zone,
             'cost': each.cost if costs else None}
            for number, each in enumerate(plan.offers, 1)
        ],
        'questions': [
            each if request.allows(policies.GET_ZONES) else redact(each)
            for each in (
                report.to_dict(with_errors=True) for report in plan.reports
            )
        ],
    }


def _summarize(build: Build, counts: Mapping[str, int]) -> dict[str, Any]:
    return {
        'id': build.uuid, 'name': build.name, 'state': build.state,
        'count': build.count, 'min_count': build.min_count, 'servers': counts,
        'created_at': build.created_at, 'updated_at': build.updated_at,
    }


def _describe(request: Request, build: Build) -> dict[str, Any]:
    report = json.loads(build.report)
    questions = report.get('questions', [])
    if not request.allows(policies.GET_ZONES):
        questions = [*map(redact, questions)]
    last = {item.number: item.state for item in build.items}
    return {'build': {
        **_summarize(build, Counter(last.values())),
        'message': build.message,
        'resumable': build.trust_id is not None,
        'request': mask_passwords(build.request),
        'items': [
            _describe_item(item, request.allows(rules.CAPACITY))
            for item in build.items
        ],
        'questions': questions,
    }}


def _describe_item(item: Item, shows_cost: bool) -> dict[str, Any]:
    """Return an item without its offer, which could create a server.

    A cost may be the free memory of a host.
    """
    return {
        'number': item.number, 'attempt': item.attempt, 'zone': item.zone,
        'cost': item.cost if shows_cost else None, 'state': item.state,
        'server_id': item.server_id, 'reason': item.reason,
        'updated_at': item.updated_at,
    }
