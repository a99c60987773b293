"""Ask a child zone what it says of itself, with credentials of clouds.yaml.

The token goes to the URL that is stored, and to no other: version documents,
catalogs and redirects are not followed.
"""

import socket
import ssl
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import requests
import yaml
from keystoneauth1 import exceptions as keystone
from keystoneauth1 import session as keystone_session
from openstack import config
from openstack import exceptions as openstack

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import MAX_REASON, sanitize
from nova_ext.zones import answer, limited_http, registry
from nova_ext.zones.registry import Child

#: The version of the API that brought zones.
VERSION = 'scheduler 1.1'
#: Codes of a child's errors that may be repeated: its texts are not, since
#: they may hold the token that it was sent.
_CODES = frozenset({
    'busy', 'database_silent', 'forbidden', 'identity_silent',
    'internal_error', 'no_database', 'no_scheduler', 'scheduler_failed',
    'scheduler_silent', 'scheduler_too_old', 'scheduler_unreachable',
})
_PROBLEMS = {
    401: 'it refuses the token of its Keystone',
    403: 'the policy nova_ext:zone_info:get of the child zone does not allow '
    'it',
    404: 'no nova-ext-api is at this URL',
    406: f'its nova-ext-api is too old: it knows no version {VERSION}',
}


class ChildError(NovaExtError):
    """Report why a child zone gave no answer that can be used."""


class Children:
    """Keep a session for each child zone, so that its token is used again.

    :param clouds_file: in the form of clouds.yaml.
    :param time_limit_s: seconds for a whole answer, Keystone's included.
    :param allow_http: whether URLs may begin with ``http:``.
    """

    def __init__(
        self, clouds_file: Path, time_limit_s: float, allow_http: bool
    ) -> None:
        self._clouds_file = clouds_file
        self._time_limit_s = time_limit_s
        self._allow_http = allow_http
        self._secure_file = clouds_file.with_name('secure.yaml')
        self._changed_at: list[int | None] = []
        self._sessions: dict[tuple[str, str], keystone_session.Session] = {}

    def keep(self, children: Iterable[Child]) -> None:
        """Keep the sessions of these alone; none if a file has changed."""
        changed_at = [
            *map(_get_time, (self._clouds_file, self._secure_file))
        ]
        keys = {(child.url, child.cloud) for child in children}
        if changed_at != self._changed_at:
            keys.clear()
        self._changed_at = changed_at
        for key in self._sessions.keys() - keys:
            del self._sessions[key]

    def ask(self, child: Child) -> answer.Answer:
        """Ask one child zone; a thread each may ask several at a time.

        :raises ChildError: saying why there is no answer, in words of ours.
        :raises InsecureUrlError: where it was not asked for this reason.
        """
        registry.check_url(child.url, self._allow_http)
        with limited_http.TimeLimit(self._time_limit_s) as limit:
            try:
                response = self._send(child)
                if limit.is_over:
                    # It ends where its connection was ended.
                    raise TimeoutError
                _check_status(response)
                return answer.parse(response.content)
            except answer.MalformedAnswerError as error:
                raise ChildError(str(error)) from None
            except ChildError:
                raise
            except Exception as error:
                # A Keystone's answer that keystoneauth does not expect ends
                # in errors of any class.
                raise ChildError(
                    f'no whole answer within {self._time_limit_s:g} s'
                    if limit.is_over else _describe(error)
                ) from None

    def _send(self, child: Child) -> requests.Response:
        key = child.url, child.cloud
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = self._make_session(child)
        try:
            return session.request(
                f'{child.url}/v1/zones/info', 'GET', authenticated=True,
                raise_exc=False, log=False,
                headers={'OpenStack-API-Version': VERSION},
            )
        finally:
            # No connection outlives its time limit.
            session.session.close()

    def _make_session(self, child: Child) -> keystone_session.Session:
        region = self._read_cloud(child.cloud)
        auth_url = region.config.get('auth', {}).get('auth_url')
        verify, cert = region.get_requests_verify_args()
        return keystone_session.Session(
            region.get_auth(), limited_http.make_session(
                filter(None, (child.url, auth_url))
            ),
            verify=verify, cert=cert, timeout=self._time_limit_s,
            redirect=False, app_name='nova-ext',
        )

    def _read_cloud(self, name: str) -> Any:
        """Return what clouds.yaml says of a cloud.

        :raises ChildError: where it can't be used. No value is quoted.
        """
        path = self._clouds_file
        where = f'[nova_ext_zones] zone_clouds_file = {path}'
        try:
            # openstacksdk passes over a file that it can't read.
            yaml.safe_load(path.read_bytes())
            clouds = config.OpenStackConfig(
                config_files=[str(path)],
                secure_files=[str(self._secure_file)],
                vendor_files=[], load_envvars=False,
            )
            if name not in clouds.get_cloud_names():
                raise ChildError(f'{where} has no cloud {name}')
            return clouds.get_one(name)
        except OSError as error:
            raise ChildError(f'{where}: {error.strerror}') from None
        except yaml.YAMLError as error:
            mark = getattr(error, 'problem_mark', None)
            line = f' at line {mark.line + 1}' if mark else ''
            raise ChildError(f'{where} is no YAML{line}') from None
        except (openstack.ConfigException, keystone.ClientException,
                AttributeError, TypeError, ValueError) as error:
            # Other messages may quote what stands there.
            missing = isinstance(error, keystone.OptionError)
            reason = str(error) if missing else type(error).__name__
            raise ChildError(
                f'{where}: cloud {name} can\'t be used: {reason}'
            ) from None


def _get_time(path: Path) -> int | None:
    """Return when a file was changed; None where it can't be seen."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _check_status(response: requests.Response) -> None:
    status = response.status_code
    if status == requests.codes.ok:
        return
    if response.is_redirect:
        raise ChildError(f'it answers {status}, a redirect: none is followed')
    problem = _PROBLEMS.get(status) or _find_code(response)
    raise ChildError(f'it answers {status}{f": {problem}" if problem else ""}')


def _find_code(response: requests.Response) -> str:
    """Return the code of a child's error, if it is one of nova-ext-api's."""
    try:
        code = response.json()['errors'][0]['code'].removeprefix('scheduler.')
    except (ValueError, LookupError, TypeError, AttributeError,
            RecursionError):
        return ''
    return code if code in _CODES else ''


def _describe(error: Exception) -> str:
    """Describe an error in our words, or in those of the system."""
    if isinstance(error, keystone.HttpError):
        return f'its Keystone answers {error.http_status}'
    for cause in _list_causes(error):
        if isinstance(cause, limited_http.TooLongError):
            return f'an answer is longer than {limited_http.MAX_BYTES} bytes'
        if isinstance(cause, requests.exceptions.InvalidSchema):
            return (
                'its Keystone leads to another host than the cloud\'s '
                'auth_url'
            )
        if isinstance(cause, ssl.SSLCertVerificationError):
            return sanitize(
                f'its certificate: {cause.verify_message}', MAX_REASON
            )
        if isinstance(cause, TimeoutError):
            return 'no connection in time'
        if isinstance(cause, socket.gaierror) or (
            isinstance(cause, OSError) and cause.errno
        ):
            return sanitize(f'no connection: {cause.strerror}', MAX_REASON)
    return f'no answer: {type(error).__name__}'


def _list_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what caused it, as libraries wrap each other's."""
    causes: list[BaseException] = [error]
    for cause in causes:
        yield cause
        causes += [
            inner for inner in (
                cause.__cause__, cause.__context__,
                getattr(cause, 'reason', None), *cause.args,
            ) if isinstance(inner, BaseException) and inner not in causes
        ]
