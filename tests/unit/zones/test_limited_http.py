"""Connect to named origins alone."""

import requests
import testtools

from nova_ext.zones import limited_http
from tests.unit.zones import base


class SessionTest(base.ZonesTestCase):
    """Send requests over a session."""

    def test_origins(self):
        """Other hosts, ports and schemes are not connected to."""
        good = self.serve_answer()
        session = limited_http.make_session([good.url])
        port = good.url.rpartition(':')[2]
        with limited_http.TimeLimit(base.TIME_LIMIT_S):
            self.assertEqual(200, session.get(f'{good.url}/x').status_code)
            for url in (
                self.elsewhere.url, f'https://127.0.0.1:{port}/x',
                f'http://127.0.0.1:{port}@{self.elsewhere.url[7:]}/x',
            ):
                self.assertRaises(
                    requests.exceptions.InvalidSchema, session.get, url
                )
            shorter = limited_http.make_session([good.url[:-1]])
            self.assertRaises(
                requests.exceptions.InvalidSchema, shorter.get, good.url
            )
        self.assertEqual(1, len(good.seen))
        self.assertEqual([], self.elsewhere.seen)

    def test_over(self):
        """No connection begins when the time is over."""
        good = self.serve_answer()
        session = limited_http.make_session([good.url])
        with limited_http.TimeLimit(0) as limit:
            limit._timer.join()
            self.assertRaises(
                requests.exceptions.ConnectionError, session.get, good.url
            )
        self.assertEqual([], good.seen)


class OriginTest(testtools.TestCase):
    """Take the origin of a URL."""

    def test_forms(self):
        """It is written as requests writes URLs."""
        for url, origin in (
            ('https://One.example.org/path', 'https://one.example.org/'),
            ('https://one.example.org', 'https://one.example.org/'),
            ('http://127.0.0.1:80/v1', 'http://127.0.0.1:80/'),
        ):
            self.assertEqual(origin, limited_http._get_origin(url))
