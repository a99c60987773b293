"""Send requests to a child zone, with credentials of clouds.yaml.

The token goes to the URL that is stored, and to no other: version documents,
catalogs and redirects are not followed.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

import futurist
import requests
import urllib3
import yaml
from keystoneauth1 import exceptions as keystone
from keystoneauth1 import session as keystone_session
from openstack import config
from openstack import exceptions as openstack
from oslo_config import cfg

from nova_ext.core.explanation.text_format import MAX_REASON, sanitize
from nova_ext.zones import answers, limited_http, registry, zone_info
from nova_ext.zones.answers import ChildError
from nova_ext.zones.registry import Child

#: Seconds after a request without an answer in which a zone counts as hung.
HUNG_S = 30.0
#: Zones that are asked at one time.
AT_ONCE = 64


class Children:
    """Keep the token of each child zone, so that it is used again.

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
        self._plugins: dict[tuple[str, str], tuple[Any, Any]] = {}
        self._hung_until: dict[str, float] = {}
        self._lock = threading.Lock()

    def keep(self, clouds: Iterable[tuple[str, str]]) -> None:
        """Keep the tokens of these alone.

        :param clouds: pairs of a child zone's URL and a name in clouds.yaml.
        """
        with self._lock:
            for key in self._plugins.keys() - set(clouds):
                del self._plugins[key]

    def is_hung(self, child: Child) -> bool:
        """Return whether a child zone did not answer a recent request in time.

        Another one would probably wait as long.
        """
        return time.monotonic() < self._hung_until.get(child.url, 0)

    def ask(self, child: Child) -> zone_info.ZoneInfo:
        """Ask one child zone what it says of itself.

        :raises ChildError: saying why there is no answer, in words of ours.
        :raises InsecureUrlError: where it was not asked for this reason.
        """
        return zone_info.parse(self.send(child, 'GET', '/v1/zones/info'))

    def send(
        self, child: Child, method: str, path: str, body: Any = None, *,
        time_limit_s: float = 0,
    ) -> bytes:
        """Send a request to one child zone; threads may send side by side.

        :param body: JSON; None: none.
        :param time_limit_s: seconds for a whole answer; by default that of
            the options.
        :returns: the body of the answer, of at most
            :data:`~nova_ext.zones.limited_http.MAX_BYTES`.
        :raises ChildError: saying why there is no answer, in words of ours.
        :raises InsecureUrlError: where nothing was sent for this reason.
        """
        registry.check_url(child.url, self._allow_http)
        seconds = time_limit_s or self._time_limit_s
        with limited_http.TimeLimit(seconds) as limit:
            try:
                response = self._request(
                    self._open(child.url, child.cloud, seconds),
                    f'{child.url}{path}', method, json=body,
                    headers={'OpenStack-API-Version': answers.VERSION},
                )
                if limit.is_over:
                    # It ends where its connection was ended.
                    raise TimeoutError
                self._hung_until.pop(child.url, None)
                answers.check_status(response)
                return bytes(response.content)
            except ChildError:
                raise
            except Exception as error:
                if limit.is_over or _is_late(error):
                    self._hung_until[child.url] = time.monotonic() + HUNG_S
                # A Keystone's answer that keystoneauth does not expect ends
                # in errors of any class.
                raise ChildError(
                    f'no whole answer within {seconds:g} s'
                    if limit.is_over else _describe(error),
                    is_sent=not _is_before_sending(error),
                ) from None

    @staticmethod
    def _request(
        session: keystone_session.Session, url: str, method: str,
        **options: Any
    ) -> requests.Response:
        try:
            return session.request(
                url, method, authenticated=True, raise_exc=False, log=False,
                **options,
            )
        finally:
            # No connection outlives its time limit.
            session.session.close()

    def _forget_changed(self) -> None:
        """Forget all tokens where a file of credentials has changed."""
        changed_at = [
            *map(_get_time, (self._clouds_file, self._secure_file))
        ]
        if changed_at != self._changed_at:
            self._plugins.clear()
        self._changed_at = changed_at

    def _open(
        self, url: str, cloud: str, seconds: float
    ) -> keystone_session.Session:
        """Return a session for one request."""
        with self._lock:
            self._forget_changed()
            if (url, cloud) not in self._plugins:
                region = self._read_cloud(cloud)
                self._plugins[url, cloud] = region, region.get_auth()
            region, plugin = self._plugins[url, cloud]
        verify, cert = region.get_requests_verify_args()
        auth_url = region.config.get('auth', {}).get('auth_url')
        return keystone_session.Session(
            plugin,
            limited_http.make_session(filter(None, (url, auth_url))),
            verify=verify, cert=cert, timeout=seconds,
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


def open_children(conf: cfg.ConfigOpts) -> Children:
    """Return what sends requests, as ``[nova_ext_zones]`` says."""
    group = conf.nova_ext_zones
    return Children(
        Path(group.zone_clouds_file), group.time_limit_s, group.allow_http
    )


def run_side_by_side(
    calls: Iterable[Callable[[], Any]], seconds: float
) -> list[futures.Future[Any]]:
    """Call functions that ask zones, each in a thread, AT_ONCE at one time.

    :param seconds: after which none is waited for. Those that have begun go
        on; looking up a host's name has no limit of ours.
    :returns: a future of each, in order, perhaps not done.
    """
    executor = futurist.ThreadPoolExecutor(AT_ONCE)
    begun = [executor.submit(call) for call in calls]
    futures.wait(begun, max(0.0, seconds))
    for future in begun:
        future.cancel()
    executor.shutdown(wait=False)
    return begun


def _get_time(path: Path) -> int | None:
    """Return when a file was changed; None where it can't be seen."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


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


def _is_before_sending(error: Exception) -> bool:
    """Return whether there was no token, or no connection for it."""
    return isinstance(error, keystone.HttpError) or any(
        isinstance(cause, (
            # A host that is switched off, and one that refuses.
            urllib3.exceptions.ConnectTimeoutError,
            urllib3.exceptions.NewConnectionError,
            ssl.SSLCertVerificationError,
        )) for cause in _list_causes(error)
    )


def _is_late(error: Exception) -> bool:
    return any(
        isinstance(cause, TimeoutError | urllib3.exceptions.TimeoutError)
        for cause in _list_causes(error)
    )


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
