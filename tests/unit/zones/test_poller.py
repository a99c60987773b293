"""Poll child zones of all kinds."""

import contextlib
import gzip
import logging
import socket
import threading
import time
from pathlib import Path

from oslo_config import cfg

from nova_ext.zones import limited_http, registry
from nova_ext.zones.poller import Poller
from tests.unit.zones import base
from tests.unit.zones.base import OTHER_UUID, UUID, build_info

BLOCK = b'x' * 65536


def drip_body(request):
    """Send a body that never ends, slowly."""
    request.send_response(200)
    request.end_headers()
    while True:
        request.wfile.write(b' ')
        time.sleep(0.05)


def drip_header(request):
    """Send a header that never ends, slowly."""
    request.wfile.write(b'HTTP/1.1 200 OK\r\nX-Long: ')
    while True:
        request.wfile.write(b'x')
        time.sleep(0.05)


def send_much(request):
    """Send 100 MB."""
    request.send_response(200)
    request.end_headers()
    for _ in range(1600):
        request.wfile.write(BLOCK)


def hang(request):
    """Send nothing until the client leaves."""
    request.connection.recv(1)


class PollerTest(base.ZonesTestCase):
    """Poll once, or several times."""

    def test_active(self):
        """A child zone is active at its first good answer."""
        child = self.serve_zone()
        self.add_zone('one', child.url)
        self.poller.poll()
        zone = self.get_zone('one')
        self.assertTrue(zone.is_active)
        self.assertEqual(
            (0, '', None, 'nova', False),
            (zone.errors, zone.last_error, zone.inactive_since, zone.own_name,
             zone.is_gathering),
        )
        self.assertEqual(
            registry.get_own_uuid(child.backends.database()), zone.uuid
        )
        self.assertIn('zone one is active', self.log.output)
        self.assertEqual([], self.elsewhere.seen)

    def test_any_depth(self):
        """What a grandchild has is seen where all zones between route."""
        middle, leaf = self.serve_zone('middle'), self.serve_zone('leaf')
        leaf.backends.fake.services = {
            'services': {'volume': {'disk': {'min': 1, 'max': 9}}},
            'gathering': True,
        }
        database = middle.backends.database()
        with database.writing() as session:
            registry.create_zone(session, {
                'name': 'leaf', 'url': leaf.url, 'cloud': 'child',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False,
            })
        self.add_zone('middle', middle.url)
        for routing in (True, False):
            self.conf.config(
                group='nova_ext_zones', enable_zone_routing=routing
            )
            Poller(database, cfg.CONF.nova_ext_zones).poll()
            self.poller.poll()
            zone = self.get_zone('middle')
            services = base.json.loads(zone.capabilities)['services']
            own = {'compute': {'cpu': {'min': 0.1, 'max': 3.5}}}
            self.assertEqual(
                ({**own, 'volume': {'disk': {'min': 1, 'max': 9}}}, True)
                if routing else (own, False),
                (services, zone.is_gathering),
            )

    def test_token_is_used_again(self):
        """Keystone is asked once, until clouds.yaml changes."""
        self.add_zone('one', self.serve_zone().url)
        for _ in range(2):
            self.poller.poll()
        self.assertEqual(1, len(self.keystone_server.seen))
        self.write_clouds()
        self.poller.poll()
        self.assertEqual(2, len(self.keystone_server.seen))

    def test_inactive(self):
        """One is inactive after errors in a row, and active again at once."""
        fails = False

        def respond(request):
            request.answer(503 if fails else 200, base.json.dumps(
                build_info()
            ).encode())

        self.add_zone('one', self.serve(respond).url)
        self.poller.poll()
        fails = True
        for errors in range(1, base.MAX_ERRORS):
            self.poller.poll()
            zone = self.get_zone('one')
            self.assertEqual((True, errors, None), (
                zone.is_active, zone.errors, zone.inactive_since
            ))
        before = registry.format_now()
        self.poller.poll()
        inactive = self.get_zone('one')
        self.assertFalse(inactive.is_active)
        self.assertGreaterEqual(inactive.inactive_since, before)
        self.assertEqual('it answers 503', inactive.last_error)
        self.poller.poll()
        self.assertEqual(
            inactive.inactive_since, self.get_zone('one').inactive_since
        )
        self.assertEqual(1, self.log.output.count('it answers 503'))
        fails = False
        self.poller.poll()
        zone = self.get_zone('one')
        self.assertEqual((True, 0, '', None), (
            zone.is_active, zone.errors, zone.last_error, zone.inactive_since
        ))

    def test_several_pollers(self):
        """Two at a time agree."""
        good, bad = self.serve_answer(), self.serve_answer(503)
        self.add_zone('good', good.url)
        self.add_zone('bad', bad.url)
        other = Poller(self.database, cfg.CONF.nova_ext_zones)
        for _ in range(2):
            for poller in (self.poller, other):
                poller.poll()
        self.assertTrue(self.get_zone('good').is_active)
        self.assertEqual(4, self.get_zone('bad').errors)

    def test_run(self):
        """Poll in intervals, through an outage of the database."""
        self.conf.config(group='nova_ext_zones', interval_s=1)
        self.add_zone('one', self.serve_answer().url)
        aside = Path(self.folder, 'aside')
        file = Path(self.database._facade.writer.get_engine().url.database)
        file.rename(aside)
        file.mkdir()
        end = threading.Event()
        thread = threading.Thread(
            target=Poller(self.database, cfg.CONF.nova_ext_zones).run,
            args=(end,),
        )
        self.database._facade.writer.get_engine().dispose()
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(end.set)
        self.wait_for(lambda: 'trying again' in self.log.output)
        file.rmdir()
        aside.rename(file)
        self.wait_for(lambda: self.get_zone('one').is_active)

    def wait_for(self, condition):
        """Wait until a condition holds."""
        deadline = time.monotonic() + 150
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_changed_meanwhile(self):
        """An answer from a URL that was replaced meanwhile does not count."""
        def respond(request):
            with self.database.writing() as session:
                zone, = registry.list_zones(session)
                registry.update_zone(session, zone, {'url': 'http://new'})
            request.answer(200, base.json.dumps(build_info()).encode())

        self.add_zone('one', self.serve(respond).url)
        self.poller.poll()
        zone = self.get_zone('one')
        self.assertEqual((False, None, ''), (
            zone.is_active, zone.uuid, zone.last_error
        ))


class IdentityTest(base.ZonesTestCase):
    """Refuse zones that are not what they have to be."""

    def error(self, name):
        """Return the error of an inactive zone."""
        zone = self.get_zone(name)
        self.assertFalse(zone.is_active)
        return zone.last_error

    def test_itself(self):
        """A zone is no child of itself."""
        self.add_zone('me', self.serve_own_zone().url)
        self.poller.poll()
        self.assertIn('which is this zone itself', self.error('me'))
        self.assertIsNone(self.get_zone('me').uuid)

    def test_two_urls(self):
        """One UUID at two URLs is refused where it comes second."""
        first, second = self.serve_answer(), self.serve_answer()
        self.add_zone('first', first.url)
        self.poller.poll()
        self.add_zone('second', second.url)
        self.poller.poll()
        self.assertEqual(
            f'it answers as {UUID}, which is zone first at {first.url}: one '
            f'zone at two URLs, or a copy of its database',
            self.error('second'),
        )
        self.assertTrue(self.get_zone('first').is_active)

    def test_two_urls_at_once(self):
        """Of two that come at once one is active, and one refused."""
        for name in ('first', 'second'):
            self.add_zone(name, self.serve_answer().url)
        self.poller.poll()
        self.assertEqual([False, True], sorted(
            self.get_zone(name).is_active for name in ('first', 'second')
        ))

    def test_other_zone(self):
        """Another UUID is refused at once, and the first one is kept."""
        child = self.serve_answer()
        other = self.serve_answer(body=build_info(uuid=OTHER_UUID))
        number = self.add_zone('one', child.url)
        self.poller.poll()
        self.move(number, other.url)
        self.assertFalse(self.get_zone('one').is_active)
        self.poller.poll()
        self.assertIn(
            f'it answers as zone {OTHER_UUID}, and was {UUID} before',
            self.error('one'),
        )
        self.assertEqual(UUID, self.get_zone('one').uuid)
        self.move(number, child.url)
        self.poller.poll()
        self.assertTrue(self.get_zone('one').is_active)

    def move(self, number, url):
        """Change a zone's URL."""
        with self.database.writing() as session:
            registry.update_zone(
                session, session.get(registry.Zone, number), {'url': url}
            )

    def test_replaced_under_its_url(self):
        """A zone that is another one suddenly is inactive at once."""
        info = build_info()
        self.add_zone('one', self.serve(lambda request: request.answer(
            200, base.json.dumps(info).encode()
        )).url)
        self.poller.poll()
        info['zone']['uuid'] = OTHER_UUID
        self.poller.poll()
        self.assertIn('was', self.error('one'))


class HostileCase(base.ZonesTestCase):
    """A good child zone beside a bad one."""

    def poll_beside(self, url):
        """Poll a bad zone and a good one, and return the bad one's error."""
        self.add_zone('good', self.serve_answer().url)
        self.add_zone('bad', url)
        began = time.monotonic()
        self.poller.poll()
        self.assertLess(time.monotonic() - began, 5 * self.time_limit_s)
        self.assertTrue(self.get_zone('good').is_active)
        bad = self.get_zone('bad')
        self.assertEqual((False, 1, None), (
            bad.is_active, bad.errors, bad.uuid
        ))
        return bad.last_error


class SlowTest(HostileCase):
    """Poll one that takes longer than it may."""

    time_limit_s = base.SHORT_LIMIT_S

    def test_endless(self):
        """What never ends is ended, wherever it is."""
        self.add_zone('good', self.serve_answer().url)
        responds = (drip_body, drip_header, hang)
        names = [respond.__name__.replace('_', '-') for respond in responds]
        for name, respond in zip(names, responds, strict=True):
            self.add_zone(name, self.serve(respond).url)
        began = time.monotonic()
        self.poller.poll()
        self.assertLess(time.monotonic() - began, 5 * self.time_limit_s)
        self.assertTrue(self.get_zone('good').is_active)
        self.assertEqual(
            [(name, False, f'no whole answer within {self.time_limit_s} s')
             for name in names],
            [(zone.name, zone.is_active, zone.last_error)
             for zone in map(self.get_zone, names)],
        )

    def test_slow_name(self):
        """One whose name is looked up for ever is asked once, and is late."""
        resolve, ends, asked = socket.getaddrinfo, threading.Event(), []

        def look_up(host, *args, **kwargs):
            if host == 'slow.example.org':
                asked.append(host)
                ends.wait()
                raise socket.gaierror(socket.EAI_NONAME, 'no such name')
            return resolve(host, *args, **kwargs)

        self.addCleanup(ends.set)
        self.patch(socket, 'getaddrinfo', look_up)
        late = f'no answer within {self.time_limit_s} s'
        self.assertEqual(late, self.poll_beside('http://slow.example.org'))
        self.poller.poll()
        self.assertEqual(2, self.get_zone('bad').errors)
        self.assertEqual(1, len(asked))
        self.assertTrue(self.get_zone('good').is_active)


class HostileTest(HostileCase):
    """Poll each kind of bad one."""

    def test_redirect(self):
        """No redirect is followed."""
        error = self.poll_beside(self.serve_answer(
            302, Location=f'{self.elsewhere.url}/v1/zones/info'
        ).url)
        self.assertIn('302, a redirect: none is followed', error)
        self.assertEqual([], self.elsewhere.seen)

    def test_much(self):
        """No more than the limit is read."""
        self.assertEqual(
            f'an answer is longer than {limited_http.MAX_BYTES} bytes',
            self.poll_beside(self.serve(send_much).url),
        )

    def test_packed(self):
        """What is packed is not unpacked."""
        body = gzip.compress(base.json.dumps(build_info()).encode())
        self.assertEqual('its answer is no JSON', self.poll_beside(
            self.serve_answer(body=body, Content_Encoding='gzip').url
        ))

    def test_nonsense(self):
        """Nonsense is refused without quoting it."""
        for number, (body, words) in enumerate((
            (b'{', 'no JSON'), (b'[' * 100_000, 'nested too deeply'),
            (b'\xff', 'no JSON'), (b'[]', 'schema'),
            ({'zone': {'uuid': base.TOKEN}}, 'schema at zone'),
            (build_info(uuid=f'{UUID}\n'), 'schema at zone.uuid'),
            (build_info(gathering='no'), 'schema at zone.gathering'),
        )):
            name = f'bad{number}'
            self.add_zone(name, self.serve_answer(body=body).url)
            self.poller.poll()
            error = self.get_zone(name).last_error
            self.assertIn(words, error)
            self.assertNotIn(base.TOKEN, error)

    def test_statuses(self):
        """A status is named, with a known code and no text."""
        quoting = {'errors': [{
            'code': 'scheduler.no_scheduler', 'detail': base.TOKEN,
        }]}
        for number, (status, body, error) in enumerate((
            (401, None, '401: it refuses the token of its Keystone'),
            (403, None, '403: its policy does not allow it'),
            (404, None, '404: no nova-ext-api is at this URL'),
            (406, None, '406: its nova-ext-api is too old'),
            (503, quoting, '503: no_scheduler'),
            (500, {'errors': [{'code': base.TOKEN}]}, '500'),
        )):
            name = f'bad{number}'
            self.add_zone(name, self.serve_answer(status, body).url)
            self.poller.poll()
            told = self.get_zone(name).last_error
            self.assertIn(f'it answers {error}', told)
            self.assertNotIn(base.TOKEN, told)

    def test_no_server(self):
        """A URL where nothing listens is named as such."""
        self.assertEqual(
            'no connection: Connection refused',
            self.poll_beside('http://127.0.0.1:1'),
        )

    def test_http(self):
        """A zone that was added before http was forbidden is not asked."""
        child = self.serve_answer()
        self.add_zone('one', child.url)
        self.conf.config(group='nova_ext_zones', allow_http=False)
        Poller(self.database, cfg.CONF.nova_ext_zones).poll()
        self.assertIn('https', self.get_zone('one').last_error)
        self.assertEqual([], child.seen)

    def test_control_characters(self):
        """Text is cleaned and cut."""
        self.add_zone('one', self.serve_answer(body=build_info(
            name='a\x1b[31m\n' + 'b' * 300,
        )).url)
        self.poller.poll()
        name = self.get_zone('one').own_name
        self.assertTrue(name.isprintable(), name)
        self.assertLessEqual(len(name), 255)


class SlowTLSTest(base.ZonesTestCase):
    """Poll a child zone over TLS that takes longer than it may."""

    time_limit_s = base.SHORT_LIMIT_S

    def test_endless(self):
        """What never ends is ended."""
        child = self.serve_tls(drip_header)
        self.write_clouds(cacert=child.certificate)
        self.add_zone('one', child.url)
        self.poller.poll()
        self.assertEqual(
            f'no whole answer within {self.time_limit_s} s',
            self.get_zone('one').last_error,
        )


class TLSTest(base.ZonesTestCase):
    """Poll a child zone over TLS."""

    def test_certificate(self):
        """One is asked whose certificate clouds.yaml trusts, and no other."""
        child = self.serve_tls(lambda request: request.answer(
            200, base.json.dumps(build_info()).encode()
        ))
        self.add_zone('one', child.url)
        self.poller.poll()
        self.assertIn(
            'its certificate: self-signed certificate',
            self.get_zone('one').last_error,
        )
        self.assertEqual([], child.seen)
        self.write_clouds(cacert=child.certificate)
        self.poller.poll()
        zone = self.get_zone('one')
        self.assertEqual((True, ''), (zone.is_active, zone.last_error))

class SecretsTest(base.ZonesTestCase):
    """Look for canaries."""

    def find(self):
        """Return what the database and the log have of them."""
        stored = b''.join(
            path.read_bytes() for path in Path(
                self.database._facade.writer.get_engine().url.database
            ).parent.iterdir() if 'sqlite' in path.name
        )
        return [
            word for word in (base.SECRET, base.TOKEN)
            if word.encode() in stored or word in self.log.output
        ]

    def test_nowhere(self):
        """No secret reaches the database or the log, whatever fails."""
        self.log = self.useFixture(base.base.fixtures.FakeLogger(
            level=logging.DEBUG
        ))
        echoing = self.serve(lambda request: request.answer(
            500, str(dict(request.headers)).encode()
        ))
        self.add_zone('good', self.serve_zone().url)
        self.add_zone('echoing', echoing.url)
        self.add_zone('absent', 'http://127.0.0.1:1')
        self.poller.poll()
        (_, headers), = echoing.seen
        self.assertEqual(base.TOKEN, headers['X-Auth-Token'])
        self.assertEqual([], self.find())
        self.give_token = lambda request: request.answer(
            401, base.json.dumps({'error': {
                'message': base.SECRET, 'code': 401, 'title': base.SECRET,
            }}).encode()
        )
        self.keystone_server = self.serve(self.give_token)
        self.write_clouds()
        self.poller.poll()
        self.assertEqual(
            'its Keystone answers 401', self.get_zone('good').last_error
        )
        self.assertEqual([], self.find())
        # What looks for them finds them.
        with self.database.writing() as session:
            for zone in registry.list_zones(session, 'good'):
                zone.last_error = base.SECRET
        self.assertEqual([base.SECRET], self.find())

    def test_keystone_leads_elsewhere(self):
        """No secret goes where a version document of Keystone leads."""
        def lead(request):
            server.methods.append(request.command)
            if request.command == 'GET':
                document = {'version': {
                    'id': 'v3.14', 'status': 'stable', 'links': [{
                        'rel': 'self', 'href': f'{self.elsewhere.url}/v3/',
                    }],
                }}
                request.answer(
                    200, base.json.dumps(document).encode(),
                    Content_Type='application/json',
                )
            else:
                self.give_token(request)

        server = self.serve(lead)
        server.methods = []
        self.write_clouds(
            'password', auth_url=server.url, username='u',
            password=base.SECRET, project_id=base.base.OURS,
            user_domain_id='default',
        )
        self.add_zone('one', self.serve_answer().url)
        self.poller.poll()
        self.assertEqual('POST', server.methods[-1])
        self.assertEqual([], self.elsewhere.seen)

    def test_proxy(self):
        """Proxies of the environment see no token."""
        self.useFixture(base.base.fixtures.EnvironmentVariable(
            'http_proxy', self.elsewhere.url
        ))
        self.add_zone('one', self.serve_answer().url)
        self.poller.poll()
        self.assertTrue(self.get_zone('one').is_active)
        self.assertEqual([], self.elsewhere.seen)

    def test_clouds_file(self):
        """What is wrong with clouds.yaml is said without quoting it."""
        self.add_zone('one', self.serve_answer().url)
        for text, words in (
            (None, 'No such file or directory'),
            (f'clouds: [{base.SECRET}\n', 'is no YAML at line'),
            ('clouds: {}\n', 'has no cloud child'),
            (f'clouds: {{child: {base.SECRET}}}\n', 'can\'t be used'),
            ('clouds: {child: {auth_type: nonesuch}}\n', 'can\'t be used'),
            ('clouds: {child: {auth_type: v3applicationcredential, auth: '
             f'{{application_credential_secret: {base.SECRET}}}}}}}\n',
             'You must provide'),
        ):
            file = Path(self.clouds_file)
            with contextlib.suppress(FileNotFoundError):
                file.unlink()
            if text:
                file.write_text(text)
            self.poller.poll()
            error = self.get_zone('one').last_error
            self.assertIn(words, error)
            self.assertIn(self.clouds_file, error)
            self.assertEqual([], self.find())
