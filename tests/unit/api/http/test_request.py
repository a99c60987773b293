"""Send bodies that are too long, or hard to check."""

import io
import json
import time

from nova_ext.api.http import fair_share, request
from nova_ext.zones.api.operations import MAX_BODY_BYTES
from tests.unit.api.base import ApiTestCase
from tests.unit.api.handlers.test_simulations import body
from tests.unit.zones.api.handlers import test_offers
from tests.unit.zones.offers import base

PATH = '/v1/simulations'
MAX_BYTES = 114688
#: Seconds of CPU in which a body is refused; it takes about 0.5.
REFUSED_S = 5
TOO_LONG = 'the body is longer than {} bytes'


class Chunked(io.RawIOBase):
    """A body of unknown length, of which each read returns a part."""

    def __init__(self, data):
        super().__init__()
        self.left = data

    def readable(self):
        """Say that it can be read."""
        return True

    def readinto(self, buffer):
        """Return at most 1,000 bytes."""
        part = self.left[:min(1000, len(buffer))]
        self.left = self.left[len(part):]
        buffer[:len(part)] = part
        return len(part)


class BodyTest(ApiTestCase):
    """Send bodies to users' operations, and to those of zones."""

    def send(self, document, size, path=PATH, status=200, method='POST'):
        """Send a document, with a length and in chunks.

        :param size: bytes, to which it is filled up with spaces.
        :returns: the line of each refusal.
        """
        data = json.dumps(document).encode().ljust(size)
        self.assertEqual(size, len(data))
        refusals = []
        for more in (
            {'data': data},
            {'environ_overrides': {
                'HTTP_TRANSFER_ENCODING': 'chunked',
                'wsgi.input': Chunked(data), 'wsgi.input_terminated': True,
            }},
        ):
            answer = self.ask(
                path, status=status, method=method,
                content_type='application/json', **more,
            )
            if status != 200:
                error, = answer['errors']
                refusals.append((error['code'], error['detail']))
        return refusals

    def test_users(self):
        """Take what Nova takes, and refuse one byte more."""
        self.send(body(), MAX_BYTES)
        for size in (MAX_BYTES + 1, 3 * MAX_BYTES):
            self.assertEqual([(
                'scheduler.request_entity_too_large',
                TOO_LONG.format(MAX_BYTES),
            )] * 2, self.send(body(), size, status=413))

    def test_option(self):
        """Obey the option of oslo.middleware."""
        self.conf.config(group='oslo_middleware', max_request_body_size=1000)
        self.send(body(), 1000)
        self.send(body(), 1001, status=413)

    def test_not_parsed(self):
        """Refuse what is too long before it is read as JSON."""
        told = self.refusal(
            PATH, status=413, method='POST', data=b'[' * 3 * MAX_BYTES,
            content_type='application/json',
        )
        self.assertEqual(TOO_LONG.format(MAX_BYTES), told)

    def test_zones(self):
        """Let a zone give back 1,000 offers that passed 16 zones."""
        zones = [f'{number:036}' for number in range(16)]
        zones = [f'{"0" * 8}-0000-0000-0000-{z[-12:]}' for z in zones]
        offers = {'offers': [
            {'request_id': each, 'via': zones}
            for each in test_offers.new_ids(1000)
        ]}
        self.assertLess(len(json.dumps(offers)), MAX_BODY_BYTES)
        self.send(offers, MAX_BODY_BYTES, test_offers.PATH, method='DELETE')
        self.assertEqual(
            [TOO_LONG.format(MAX_BODY_BYTES)] * 2,
            [detail for _, detail in self.send(
                offers, MAX_BODY_BYTES + 1, test_offers.PATH, 413, 'DELETE'
            )],
        )

    def test_promised(self):
        """Take as many hosts as the schema names, and values of a hint."""
        hosts = [f'{number:0100}' for number in range(1000)]
        sent = body(ignore_hosts=hosts)
        self.assertLess(len(json.dumps(sent)), MAX_BYTES)
        self.post(PATH, sent)
        self.post(PATH, body(ignore_hosts=[*hosts, 'x']), status=400)
        self.post(PATH, body(hints={'query': ['x'] * 128}))
        self.post(PATH, body(hints={'query': ['x'] * 129}), status=400)

    def test_turn(self):
        """Check one long body at a time; a short one waits for none."""
        self.patch(fair_share, 'TURN_S', 0.05)
        with request.TURN.take(is_long=True):
            self.post(PATH, body())
            self.send(body(), MAX_BYTES, status=503)
        self.send(body(), MAX_BYTES)

    def test_floats(self):
        """Have no integers of hundreds of digits made of floats."""
        for text in (b'[1e308]', b'[-1e308]', b'[1e19]', b'[1.5]'):
            (value,) = request._parse_body(text)
            self.assertIsInstance(value, float, text)
        (value,) = request._parse_body(b'[1e18]')
        self.assertIsInstance(value, int)

    def test_refused_soon(self):
        """Refuse the worst bodies in little time."""
        texts = [''] * 128
        hints = {f'{number}': texts for number in range(128)}
        worst = {**hints, 'bad': ['\n']}
        hints['0'] = ['\n']
        question = test_offers.question(build={
            **base.BUILD, 'hints': {**hints, '0': texts, '127': ['\n']},
        })
        many = {f'{number}': '' for number in range(MAX_BODY_BYTES // 16)}
        endless = body(hints=dict.fromkeys(map(str, range(128)), [''] * 7000))
        for path, sent in (
            (PATH, endless),
            (PATH, body(hints=hints)),
            (PATH, body(hints=worst)),
            (PATH, body() | {'changes': {'multipliers': dict.fromkeys(
                map(str, range(MAX_BYTES // 16)), ''
            )}}),
            (test_offers.PATH, question),
            (test_offers.PATH, many),
            (test_offers.PATH, test_offers.question() | {
                'request_ids': [''] * (MAX_BODY_BYTES // 5)
            }),
        ):
            began = time.process_time()
            self.post(path, sent, status=413 if sent is endless else 400)
            self.assertLess(time.process_time() - began, REFUSED_S)
