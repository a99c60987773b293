"""Act for a user after the request, by a trust of this zone's Keystone.

The user trusts our service user, that of ``[keystone_authtoken]``, with the
roles and the project of the token. The trust is deleted when the build is
over, and expires 60 to 70 minutes after the build's time. Its id alone is
kept: without the service user's password it is of no use.
"""

import contextlib
import datetime
import functools
import logging
import random
import threading
import time
from concurrent import futures
from typing import Any

import futurist
from keystoneauth1 import exceptions as keystone
from keystoneauth1 import loading, session
from oslo_config import cfg

from nova_ext.api.http.errors import HttpError
from nova_ext.zones import states
from nova_ext.zones.offers import own_cloud
from nova_ext.zones.tables.models import Build

_GROUP = 'keystone_authtoken'
_TRUSTS = '/OS-TRUST/trusts'
#: Trusts whose tokens are kept.
_KEPT = 256
#: Seconds to wait for a token; it is used later if Keystone takes longer.
_TOKEN_S = 5.0
#: Of a user, Keystone has one trust with the same second of expiry, also after
#: it is deleted. Seconds over which ends are spread, and attempts to find one.
_SPREAD_S, _TRIES = 600, 4
#: Errors after which another try may succeed.
_SILENT = (
    keystone.HttpServerError, keystone.ConnectionError,
    keystone.DiscoveryFailure,
)
#: What an auth plugin's scope may be, besides a trust.
_SCOPES = (
    'project_id', 'project_name', 'project_domain_id', 'project_domain_name',
    'domain_id', 'domain_name', 'system_scope', 'default_domain_id',
    'default_domain_name', 'tenant_id', 'tenant_name',
)

LOG = logging.getLogger(__name__)


class TrustRefusedError(HttpError):
    """Report that nothing can be done for a user after the request."""

    def __init__(self, detail: str) -> None:
        super().__init__(409, 'no_trust', detail)


class KeystoneSilentError(HttpError):
    """Report that Keystone could not be asked for a trust."""

    def __init__(self, detail: str) -> None:
        super().__init__(503, 'identity_silent', detail)


class Tokens:
    """Get and keep tokens of trusts. A Keystone that hangs delays nobody.

    A thread of its own asks Keystone. While Keystone is silent, there is one
    request at a time, and nobody waits long for its answer.
    """

    def __init__(self) -> None:
        # Without connections, which would stay open.
        self._load_auth = functools.lru_cache(_KEPT)(_load_auth)
        self._thread = futurist.ThreadPoolExecutor(1)
        self._lock = threading.Lock()
        self._asked: futures.Future[Any] | None = None

    def open_session(self, trust_id: str) -> session.Session:
        """Return a session in the name of who made a trust."""
        return own_cloud.open_session(self._load_auth(trust_id))

    def get(self, opened: session.Session) -> bool:
        """Get a token for a session; return whether it can be used now.

        If Keystone refuses the token, it can: its requests say why they fail.
        """
        auth: Any = opened.auth
        if auth.auth_ref and not auth.auth_ref.will_expire_soon(
            auth.MIN_TOKEN_LIFE_SECONDS
        ):
            return True
        with self._lock:
            if self._asked and not self._asked.done():
                return False
            was_silent = self._asked and _is_silent(self._asked)
            self._asked = self._thread.submit(opened.get_token)
            futures.wait(
                [self._asked], _TOKEN_S / 10 if was_silent else _TOKEN_S
            )
            return self._asked.done() and not _is_silent(self._asked)


def create_trust(auth: Any, ends_at: int) -> str:
    """Have a user trust our service user.

    :param auth: keystonemiddleware's, of a token with a project.
    :param ends_at: of the build, in seconds since 1970, UTC.
    :returns: the trust's id.
    :raises TrustRefusedError: saying in one line why there is none.
    :raises KeystoneSilentError: where another try may succeed.
    """
    spread = random.sample(range(_SPREAD_S), _TRIES)
    try:
        for more_s in spread:
            with contextlib.suppress(keystone.Conflict):
                return _post_trust(auth, ends_at + states.STALE_S + more_s)
        raise KeystoneSilentError(
            'Keystone has too many trusts of this user that end about the '
            'same time, so that it makes no further one; try again later'
        )
    except keystone.Forbidden:
        raise TrustRefusedError(
            'Keystone makes no trust for this token, as for those of '
            'application credentials; use a token from a password'
        ) from None
    except _SILENT as error:
        raise KeystoneSilentError(
            'Keystone does not answer, so that it makes no trust: '
            f'{type(error).__name__}'
        ) from None
    except keystone.HttpError as error:
        raise TrustRefusedError(
            f'Keystone makes no trust: it answers {error.http_status}'
        ) from None
    except (keystone.ClientException, LookupError, TypeError, ValueError,
            cfg.Error) as error:
        raise TrustRefusedError(
            f'Keystone makes no trust: {type(error).__name__}'
        ) from None


def _post_trust(auth: Any, expires_at: int) -> str:
    access = auth.user
    end = datetime.datetime.fromtimestamp(expires_at, datetime.UTC)
    answer = own_cloud.open_caller_session(auth).post(
        _TRUSTS, endpoint_filter=_get_keystone(), json={'trust': {
            'trustor_user_id': access.user_id,
            'trustee_user_id': _open_service_session().get_user_id(),
            'project_id': access.project_id,
            'roles': [{'id': role} for role in access.role_ids],
            'impersonation': True, 'allow_redelegation': False,
            'expires_at': f'{end:%Y-%m-%dT%H:%M:%S.000000Z}',
        }},
    )
    return str(answer.json()['trust']['id'])


def open_session(trust_id: str) -> session.Session:
    """Return a session in the name of who made a trust."""
    return own_cloud.open_session(_load_auth(trust_id))


def delete_trust(trust_id: str) -> None:
    """Delete a trust, in the name of who made it; it may be gone.

    :raises keystoneauth1.exceptions.ClientException: when Keystone fails.
    """
    # Otherwise it has expired, or its user is gone.
    with contextlib.suppress(keystone.NotFound, keystone.Unauthorized):
        open_session(trust_id).delete(
            f'{_TRUSTS}/{trust_id}', endpoint_filter=_get_keystone()
        )


def needs_trust(build: Build) -> bool:
    """Return whether deleting servers of this zone needs a new trust.

    One that was made for the time of the build is about to expire after it.
    """
    is_usable = build.trust_id is not None and (
        build.state == states.DELETING or time.time() < build.ends_at
    )
    return not is_usable and any(
        item.child_uuid is None and item.state not in states.ENDED
        for item in build.items
    )


def end_trust(trust_id: str) -> None:
    """Delete a trust that nothing needs; otherwise it expires."""
    try:
        delete_trust(trust_id)
    except keystone.ClientException as error:
        LOG.warning('a trust is not deleted, and expires: %s',
                    type(error).__name__)


def _is_silent(request: futures.Future[Any]) -> bool:
    """Return whether Keystone gave no answer to a request that is over."""
    return isinstance(request.exception(), _SILENT)


def _open_service_session() -> session.Session:
    return own_cloud.open_session(
        loading.load_auth_from_conf_options(cfg.CONF, _GROUP)
    )


def _load_auth(trust_id: str) -> Any:
    """Return the service user's credentials, with a trust for their scope."""
    known = {
        option.dest for option in loading.get_plugin_loader(
            _get_auth_type()
        ).get_options()
    }
    return loading.load_auth_from_conf_options(
        cfg.CONF, _GROUP, trust_id=trust_id,
        **dict.fromkeys(known & set(_SCOPES)),
    )


def _get_auth_type() -> str:
    loading.register_auth_conf_options(cfg.CONF, _GROUP)
    group = cfg.CONF[_GROUP]
    if group.auth_section:
        loading.register_auth_conf_options(cfg.CONF, group.auth_section)
        group = cfg.CONF[group.auth_section]
    return str(group.auth_type)


def _get_keystone() -> dict[str, Any]:
    group = cfg.CONF[_GROUP]
    return {
        'service_type': 'identity', 'interface': group.interface,
        'region_name': group.region_name, 'version': (3, 0),
    }
