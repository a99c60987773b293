"""Test a whole report, and the names in it."""

import json

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision import decision as d
from nova_ext.doctor.checks import CHECKS
from nova_ext.doctor.configuration import Configuration
from nova_ext.doctor.examination import examine
from nova_ext.record import shortening, summary
from nova_ext.report import contents
from tests.unit.doctor import fake_cloud
from tests.unit.record import samples

SECRETS = (
    'acme-gpu', 'acme-west', 'acme-7', 'ctl-acme', 'acme racks',
    samples.SERVER, 'deadbeef' * 4, 'cafebabe' * 4, 'acme-hint',
    'acme-kept', 'acme-team', 'acme-best', 'acme-drawn', 'acme-absent',
)


def failure():
    """Return a decision that is full of names."""
    step = d.Step('ComputeFilter', 'filter', 2, 0, [
        d.Rejection('acme-7 is down', 2, ['acme-7', 'cmp-1/acme-7-node']),
    ])
    weigher = d.Weighing(
        'RAMWeigher', {'acme-7': 1.0}, {'acme-7': 1.0}, without=['acme-best'],
    )
    return d.Decision(
        at='2026-11-21T12:00:00.000Z', request_id=samples.REQUEST,
        servers=[samples.SERVER], project_id='deadbeef' * 4,
        user_id='cafebabe' * 4, by={'host': 'ctl-acme', 'nova': '34.0.0'},
        request={
            'flavor': {'name': 'acme-gpu', 'vcpus': 1},
            'availability_zone': 'acme-west',
            'hints': {'requested_host': 'acme-hint', 'group': ['acme-7']},
            'ignore_hosts': ['acme-7'],
        },
        absent=d.Rejection('', 1, ['acme-absent']),
        kept_out=[d.Rejection('kept for others', 1, ['acme-kept'], {
            'acme-kept': 'by aggregate acme-team, acme racks',
        })],
        attempts=[d.Attempt(samples.SERVER, 0, 2, [step], [weigher],
                            ['acme-7'], 1, draw=d.Draw(['acme-drawn'], 1))],
        claims=[d.Claim(samples.SERVER, 'acme-7', False)],
        chosen={samples.SERVER: ['acme-7']}, outcome=d.NO_VALID_HOST,
        message='requested_host is acme-hint',
    )


class ContentsTest(samples.RecordTestCase):
    """Report on a record and a cloud with names everywhere."""

    def setUp(self):
        """Write the record, and change the cloud."""
        super().setUp()
        self.path.write_bytes(shortening.to_line(failure(), 65536))
        self.cloud = self.useFixture(fake_cloud.FakeCloud())
        self.cloud.services.append(fake_cloud.service(
            'nova-compute', 'acme-7', self.cloud.now
        ))
        self.cloud.service('acme-7')['state'] = 'down'
        self.cloud.aggregates.append({
            'uuid': 'deadbeef' * 4, 'name': 'acme racks', 'hosts': ['cmp-0'],
        })

    def files(self):
        """Return the report's files, by name."""
        facts = self.cloud.facts(Configuration())
        built = contents.build_files(
            {'doctor': examine(facts, CHECKS).to_dict()}, Configuration(),
            summary.summarize_all([self.path], 5), facts,
        )
        return {file.name: file.content.decode() for file in built}

    def test_no_names(self):
        """Leave no name in any file."""
        for name, text in self.files().items():
            for secret in SECRETS:
                self.assertNotIn(secret, text, name)

    def test_placement_away(self):
        """Replace the names that Nova alone tells."""
        self.cloud.refused['/resource_providers'] = 503
        self.test_no_names()

    def test_same_name_same_pseudonym(self):
        """Use one pseudonym in doctor's output and in a decision."""
        files = self.files()
        decision = json.loads(files['failures.jsonl'])
        (host,) = decision['request']['ignore_hosts']
        self.assertRegex(host, r'^host-\d+$')
        self.assertEqual({host: 1.0}, decision['attempts'][0]['weighers'][0][
            'weights'
        ])
        (step,) = decision['attempts'][0]['steps']
        (_, node) = step['rejections'][0]['hosts']
        self.assertRegex(node, r'^host-\d+/host-\d+$')
        found = {
            each['id']: each['where']
            for each in json.loads(files['doctor.json'])['findings']
        }
        self.assertEqual(host, found['compute-down'])
        self.assertIn('aggregate-1: placement', found['aggregate-differs'])

    def test_what_stays(self):
        """Keep what is needed to understand a failure."""
        decision = json.loads(self.files()['failures.jsonl'])
        step = decision['attempts'][0]['steps'][0]
        self.assertEqual('ComputeFilter', step['name'])
        self.assertTrue(step['rejections'][0]['reason'].endswith(' is down'))
        self.assertEqual('no valid host', decision['outcome'])
        self.assertEqual('34.0.0', decision['by']['nova'])
        self.assertEqual(1, decision['request']['flavor']['vcpus'])
        hints = decision['request']['hints']
        self.assertEqual(
            decision['message'], f'requested_host is {hints["requested_host"]}'
        )

    def test_readme(self):
        """Name every other file."""
        files = self.files()
        for name in files.keys() - {'README.txt'}:
            self.assertIn(f'\n{name}: ', files['README.txt'])

    def test_without_cloud(self):
        """Leave no name in a failure, though the cloud tells none."""
        built = contents.build_files(
            {}, Configuration(), summary.summarize_all([self.path], 5), None,
        )
        for file in built:
            for secret in SECRETS:
                self.assertNotIn(secret, file.content.decode(), file.name)

    def test_without_cloud_and_record(self):
        """Say what is missing, and give the rest."""
        built = contents.build_files(
            {'doctor': {'error': 'away'}}, Configuration(),
            {self.path: RecordError('there is no record')}, None,
        )
        files = {file.name: file.content.decode() for file in built}
        self.assertEqual({'error': 'away'}, json.loads(files['doctor.json']))
        self.assertEqual(
            [{'error': 'there is no record'}],
            json.loads(files['records.json']),
        )
        self.assertEqual('', files['failures.jsonl'])
        versions = json.loads(files['versions.json'])
        self.assertIn('cliff', versions)
        self.assertNotIn('testtools', versions)
