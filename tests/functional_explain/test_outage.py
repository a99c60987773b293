"""Placement, when it does not answer."""

import requests
from keystoneauth1 import exceptions
from nova.scheduler.client import report

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.completion import recorder
from tests.functional import base


class OutageTest(base.CloudTestCase):
    """Of all that placement is asked, for candidates alone."""

    ask_again_every_s = 60

    def fails(self, answer):
        """What is told of a boot while placement does not answer.

        :param answer: returns an answer that is none, or raises.
        """
        asked = []
        get = report.SchedulerReportClient.get

        def no_candidates(client, url, *args, **kwargs):
            if not url.startswith('/allocation_candidates'):
                return get(client, url, *args, **kwargs)
            asked.append(url)
            return answer()

        self.stub_out(
            'nova.scheduler.client.report.SchedulerReportClient.get',
            no_candidates,
        )
        self.asked_again = []
        self.stub_out(
            'nova_ext.scheduler.completion.diagnosis_worker.DiagnosisWorker.submit',
            lambda asking, placement: self.asked_again.append(placement),
        )
        self.boot(expected_state='ERROR')
        self.assertEqual(1, len(asked))
        (decision,) = self.decisions()
        recorder.get().flush(60)
        self.assertEqual([], self.asked_again)
        self.assertEqual((0, False), (
            decision.placement.candidates, decision.placement.answered
        ))
        return decision

    def test_busy(self):
        """Whoever asks is told, and placement is not asked again."""
        decision = self.fails(busy)
        for hosts in (True, False):
            self.assertEqual(
                '0/3 hosts, placement did not answer: 3 no answer from '
                'placement', explain(decision, hosts=hosts).sentence,
            )

    def test_no_connection(self):
        """As where nothing listens there."""
        decision = self.fails(refuse)
        self.assertEqual(
            '0/3 hosts, placement did not answer: 3 no answer from placement',
            explain(decision).sentence,
        )

    def test_error(self):
        """One that Nova's client lets through ends the request."""
        decision = self.fails(distrust)
        self.assertEqual(
            '0/3 hosts, SSLError: no certificate: 3 no answer from '
            'placement', explain(decision).sentence,
        )
        self.assertEqual(
            '0/3 hosts, an error ended it: 3 no answer from placement',
            explain(decision, hosts=False).sentence,
        )


class ClaimOutageTest(base.CloudTestCase):
    """Of claims alone."""

    def explain_outage(self, answer):
        """Return the sentence on a boot whose first claim is not answered.

        :param answer: returns an answer that is none, or raises.
        """
        put = report.SchedulerReportClient.put
        claims = []

        def first_fails(client, url, *args, **kwargs):
            if url.startswith('/allocations/') and not claims:
                claims.append(url)
                return answer()
            return put(client, url, *args, **kwargs)

        self.stub_out(
            'nova.scheduler.client.report.SchedulerReportClient.put',
            first_fails,
        )
        self.boot()
        (decision,) = self.decisions()
        self.assertEqual(
            [(False, False), (True, True)],
            [(c.claimed, c.answered) for c in decision.claims],
        )
        return explain(decision).sentence

    def test_no_connection(self):
        """Nobody is said to have taken the host."""
        self.assertIn(
            'placement did not answer the claim on',
            self.explain_outage(refuse),
        )

    def test_page_of_a_proxy(self):
        """Nova fails on it, and the host was tried."""
        answer, put = busy(), report.SchedulerReportClient.put
        answer._content = b'<html>Bad Gateway</html>'
        self.stub_out(
            'nova.scheduler.client.report.SchedulerReportClient.put',
            lambda client, url, *args, **kwargs: (
                answer if url.startswith('/allocations/')
                else put(client, url, *args, **kwargs)
            ),
        )
        self.boot(expected_state='ERROR')
        (decision,) = self.decisions()
        (claim,) = decision.claims
        self.assertEqual((False, False), (claim.claimed, claim.answered))
        self.assertIn(
            '1 no answer from placement to the claim',
            explain(decision).sentence,
        )

    def test_inventory_gone(self):
        """Placement's own words, where nobody took the room."""
        put = report.SchedulerReportClient.put

        def refuse_once(client, url, *args, **kwargs):
            if url.startswith('/allocations/') and not refused:
                refused.append(url)
                answer = requests.Response()
                answer.status_code = 409
                answer._content = (
                    b'{"errors": [{"code": "placement.undefined_code", '
                    b'"detail": "There was a conflict.\\n\\n Inventory for '
                    b'VCPU is gone"}]}'
                )
                return answer
            return put(client, url, *args, **kwargs)

        refused = []
        self.stub_out(
            'nova.scheduler.client.report.SchedulerReportClient.put',
            refuse_once,
        )
        self.boot()
        (decision,) = self.decisions()
        self.assertIn(
            '(409: Inventory for VCPU is gone)', explain(decision).sentence
        )

    def test_error(self):
        """As where placement fails inside."""
        def fail():
            answer = busy()
            answer._content = b'{"errors": [{"code": "", "detail": "no"}]}'
            return answer

        sentence = self.explain_outage(fail)
        self.assertIn('placement did not answer the claim on', sentence)
        self.assertNotIn('taken meanwhile', sentence)


def busy():
    """Answer as a proxy with no placement behind it."""
    made = requests.Response()
    made.status_code = 503
    return made


def refuse():
    """Answer as an address where nothing listens."""
    raise exceptions.ConnectFailure('no connection')


def distrust():
    """Answer as an address that is not who it says."""
    raise exceptions.SSLError('no certificate')
