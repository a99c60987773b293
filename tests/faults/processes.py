"""Stand for the processes of zones, which can be killed at any point.

Nova's fixtures keep everything in one process. What can be seen of a process
is what it writes into a database and what it sends: one that was killed does
neither any more, at whatever point its threads are.
"""

import contextlib
import threading

from oslo_config import cfg
from werkzeug import Request, Response

from nova_ext.api import service
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.database.database import Database
from nova_ext.zones import registry
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.child import Children
from nova_ext.zones.offers import own_cloud
from tests.faults.proxy import HANGS_UP
from tests.functional_rpc.test_builds import KilledError
from tests.functional_rpc.zone_clouds import Backends, HeadersPlugin


class Life:
    """Count what a process does, until it is killed.

    :param dies_at: number of the write or request before which it dies; 0:
        of none.
    """

    def __init__(self, dies_at=0):
        self.is_over = False
        self._left = dies_at
        self._lock = threading.Lock()

    def end(self):
        """Kill the process."""
        self.is_over = True

    def go_on(self):
        """Let the process write or send.

        :raises KilledError: where it is dead by now.
        """
        with self._lock:
            self._left -= 1
            if not self._left:
                self.end()
        if self.is_over:
            raise KilledError


class MortalDatabase(Database):
    """Keep what a process writes while it lives."""

    def __init__(self, url, life):
        super().__init__(url)
        self._life = life

    @contextlib.contextmanager
    def writing(self):
        """Begin a transaction; a dead process ends none."""
        with super().writing() as session:
            yield session
            self._life.go_on()


class MortalChildren(Children):
    """Send what a process sends while it lives."""

    def __init__(self, clouds, life):
        super().__init__(clouds, 10, True)
        self._life = life

    def send(self, *args, **kwargs):
        """Send a request; a dead process sends none."""
        self._life.go_on()
        return super().send(*args, **kwargs)


class MortalPlugin(HeadersPlugin):
    """Name the user in requests that a process sends while it lives."""

    def __init__(self, project_id, endpoints, life):
        super().__init__(project_id, endpoints)
        self._life = life

    def get_headers(self, session, **kwargs):
        """Return headers in place of a token."""
        self._life.go_on()
        return super().get_headers(session, **kwargs)


class NoScheduler:
    """Stand for the schedulers of a zone that has none."""

    def make_offers(self, *args):
        """Refuse to answer."""
        raise NoSchedulerError('no scheduler runs')


class ZoneApi:
    """Serve a zone's API by a process that is killed and started again.

    :param database: its database, not through the process.
    :param project_id: by which its parent, or its user, asks.
    :param program: asks its schedulers.
    :ivar url: of the API.
    """

    def __init__(self, test, name, database, project_id, program, roles):
        self._test, self._name, self._roles = test, name, roles
        self._project_id, self._program = project_id, program
        self.database = database
        self.uuid = registry.get_own_uuid(database)
        self.start()
        self.url = test.serve(self)

    @property
    def is_dead(self):
        """Say whether it was killed."""
        return self._life.is_over

    def start(self, dies_at=0):
        """Start the process; see :class:`Life`."""
        self._life = life = Life(dies_at)
        self._app = service.build_operations(Backends(
            MortalDatabase(self._test.get_url(self._name), life),
            self._program, MortalChildren(self._test.clouds, life),
        ))

    def kill(self):
        """Kill the process."""
        self._life.end()

    def __call__(self, environ, start_response):
        """Answer a request, or hang up."""
        life, app = self._life, self._app
        response = None
        with contextlib.suppress(KilledError):
            if not life.is_over:
                response = self._test.call_zone(
                    app, Request(environ), MortalPlugin(
                        self._project_id, self._test.endpoints, life
                    ), self._project_id, self._roles,
                )
        if response is None or life.is_over:
            response = Response(status=503, headers={HANGS_UP: 'yes'})
        return response(environ, start_response)


class BuilderProcess:
    """Carry builds of a zone out, killed and started again."""

    def __init__(self, test, name):
        self._test, self._name = test, name
        self.start()

    @property
    def is_dead(self):
        """Say whether it was killed."""
        return self._life.is_over

    def start(self, dies_at=0):
        """Start the process; see :class:`Life`."""
        self._life = life = Life(dies_at)
        database = MortalDatabase(self._test.get_url(self._name), life)
        children = MortalChildren(self._test.clouds, life)

        def get_user(build):
            cloud = own_cloud.OwnCloud(own_cloud.open_session(MortalPlugin(
                build.project_id, self._test.endpoints, life
            ))) if build.trust_id else None
            return BuildUser(
                database, children, lambda: self._test.program, build, cloud
            )

        self._builder = self._test.make_builder(database, get_user)

    def kill(self):
        """Kill the process."""
        self._life.end()

    def leave(self):
        """Leave its builds to others, as after its lease."""
        self.kill()
        self._test.kill(self._builder)

    def tick(self):
        """Look after its builds."""
        with contextlib.suppress(KilledError):
            self._builder.tick()

    def is_looking(self):
        """Say whether a look at a build is in hand, or due."""
        return any(
            work.future is not None or work.due == 0
            for work in self._builder._works.values()
        )

    def look_now(self):
        """Look at all builds at the next tick, however long they waited."""
        for work in self._builder._works.values():
            work.wait_s = cfg.CONF.nova_ext_builds.poll_interval_s
            work.due = 0
