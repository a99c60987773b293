"""Offer room of this zone, and of zones below it, to a parent zone."""

import time
from typing import Any

from nova_ext.api.http.errors import HttpError
from nova_ext.api.http.fair_share import FairShare
from nova_ext.api.http.request import Request
from nova_ext.zones import registry
from nova_ext.zones.offers.gathering import open_gathering
from nova_ext.zones.offers.offer import Offer, Question
from nova_ext.zones.offers.own_cloud import open_caller_cloud
from nova_ext.zones.server_spec import ServerSpec

#: Questions that are answered at one time. One of a parent zone waits for
#: zones below, for which it takes no more than a thread. A process that serves
#: zones has more threads than that, see the guide of nova-ext-api.
SHARE = FairShare(at_once=24, of_one=8)


def make(request: Request) -> dict[str, Any]:
    """Offer the cheapest slots, and hold their room."""
    body = request.body
    ends = time.monotonic() + body['deadline_s']
    with SHARE.hold(request.context.project_id):
        own_uuid = registry.get_own_uuid(request.backends.database())
        if own_uuid in body['path']:
            raise HttpError(
                409, 'cycle', f'this zone, {own_uuid}, stands in the path of '
                f'the question: it is a child of one of its own children'
            )
        gathered = open_gathering(
            request.backends, open_caller_cloud(request.auth)
        ).gather(Question(
            request.context, ServerSpec.from_dict(body['build']),
            body['request_ids'], [*body['path'], own_uuid], ends,
            body.get('hold', True),
        ))
    return {
        'offers': [_describe(each) for each in gathered.offers],
        'zone': gathered.report.to_dict(with_errors=False),
    }


def give_back(request: Request) -> dict[str, Any]:
    """Give back what offers hold, of this zone and of zones below it."""
    gathering = open_gathering(request.backends, None)
    context, body = request.context, request.body
    if 'offers' in body:
        given_back = gathering.give_back(context, [
            Offer(each['request_id'], 0, '', 0, tuple(each['via']))
            for each in body['offers']
        ])
    else:
        own_uuid = registry.get_own_uuid(request.backends.database())
        path = body.get('path', [])
        # One that came back has been carried out.
        given_back = 0 if own_uuid in path else gathering.give_back_all(
            context, body['request_ids'], [*path, own_uuid]
        )
    return {'given_back': given_back}


def _describe(offered: Offer) -> dict[str, Any]:
    """Return an offer for a parent."""
    return {
        'request_id': offered.request_id, 'cost': offered.cost,
        'offer': offered.offer, 'expires_at': offered.expires_at,
        'via': [*offered.via],
    }
