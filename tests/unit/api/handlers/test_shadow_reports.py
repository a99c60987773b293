"""List what shadows say over HTTP."""

import datetime

from oslo_config import cfg
from werkzeug.test import Client

from nova_ext.api import service
from nova_ext.api.schemas.shadow_reports import SHADOW_REPORTS
from nova_ext.core.explanation import shadow_report
from nova_ext.decisions import shadow_reports
from tests.unit.api.base import ApiTestCase
from tests.unit.core.explanation import shadow_samples as samples

PATH = '/v1/shadow-reports'


def store(case, host, age_s=0, file=shadow_report.FILE, **fields):
    """Store a report in the database of a test.

    :param age_s: how long ago it was written, in seconds.
    """
    written = datetime.datetime.now(datetime.UTC) - datetime.timedelta(
        seconds=age_s
    )
    report = shadow_report.serialize(samples.tally(
        updated=written.isoformat(timespec='seconds'), **fields
    ))
    with case.database.writing() as session:
        shadow_reports.store(session, host, [{'file': file, **report}])


class ShadowReportsTest(ApiTestCase):
    """Shadows on some hosts."""

    def list(self, query=''):
        """Return the host, the state and the document of each."""
        return [
            (each['host'], each['state'], each)
            for each in self.ask(PATH + query)['shadow_reports']
        ]

    def test_listed(self):
        """List them by host; one host's, if it is named."""
        self.assertEqual([], self.list())
        store(self, 'ctl-2')
        store(self, 'ctl-1', end='it was stopped')
        store(self, 'ctl-3', 10_000)
        (one, ended, _), (_, follows, _), (_, silent, report) = self.list()
        self.assertEqual(
            ('ctl-1', 'ended', 'follows', 'silent'),
            (one, ended, follows, silent),
        )
        self.assertTrue(10_000 <= report['age_s'] < 11_000, report['age_s'])
        self.assertEqual(
            [], sorted(set(SHADOW_REPORTS['properties']['shadow_reports'][
                'items'
            ]['required']) - set(report))
        )
        (two, _, report), = self.list('?host=ctl-2')
        self.assertEqual(('ctl-2', 2), (two, report['requests']))
        self.assertEqual([], self.list('?host=ctl'))

    def test_forbidden(self):
        """It is about all projects: operators alone see it."""
        self.ask(PATH, 'auditor')
        for who in ('reader', 'member', 'manager', 'other', 'nobody'):
            self.assertIn(
                'nova_ext:shadow_reports:get', self.refusal(PATH, who, 403)
            )

    def test_invalid(self):
        """Refuse other parameters."""
        self.refusal(f'{PATH}?host=')
        self.refusal(f'{PATH}?file=shadow.json')

    def test_no_database(self):
        """Say that none is configured."""
        self.client = Client(service.build(cfg.CONF))
        self.assertIn(
            'no database is configured: set [nova_ext_database] connection',
            self.refusal(PATH, status=503),
        )
