"""Find what a journal knows of a time."""

import tempfile
from pathlib import Path

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.request.operation import Operation
from nova_ext.journal.moment import BootLike, PastCloud
from tests.unit.journal import samples

SMALL = {'name': 'small', 'flavorid': '1', 'vcpus': 1, 'extra_specs': {}}
BIG = {**SMALL, 'name': 'big', 'flavorid': '2'}


def make_spec(flavor=SMALL, **data):
    """Return a request spec's primitive."""
    return {'nova_object.name': 'RequestSpec', 'nova_object.data': {
        'flavor': {'nova_object.data': flavor}, 'project_id': 'p',
        'image': {'nova_object.data': {'id': 'i', 'name': 'cirros'}}, **data,
    }}


def write(folder, *decisions, host='ctl-1'):
    """Write decisions: time, hosts, and fields of the request spec."""
    writer = samples.make_writer(folder, host=host)
    for number, (time, hosts, data) in enumerate(decisions, 1):
        made = samples.make_decision(number, hosts)
        made.body.update(
            time=time, operation=Operation.FIRST_BOOT.value,
            spec=make_spec(**data), servers=[f'{host}-{number}'],
        )
        writer.write(made)
    writer.close()


class PastCloudTest(testtools.TestCase):
    """Two workers' files."""

    def setUp(self):
        """Write them: the second one's view of host a is the newer one."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write(
            self.folder,
            (10.0, {'a': {'x': 1}}, {}),
            (30.0, {'b': {'x': 2}}, {
                'availability_zone': 'z', 'instance_group': {'g': 1},
            }),
            (40.0, {'b': {'x': 3}}, {'flavor': BIG}),
        )
        write(self.folder, (20.0, {'a': {'x': 4}}, {}), host='ctl-2')

    def read(self, as_of=None, wanted=''):
        """Return what is known."""
        return PastCloud([self.folder], as_of, wanted)

    def test_as_of(self):
        """The newest facts until then, of all files."""
        for as_of, values in (
            (None, {'a': 4, 'b': 3}), (35.0, {'a': 4, 'b': 2}),
            (20.0, {'a': 4}), (15.0, {'a': 1}),
        ):
            cloud = self.read(as_of)
            self.assertEqual(values, {
                host: facts.values['x']
                for (host, _), facts in cloud.hosts.items()
            })
        self.assertEqual(40.0, self.read().newest.decision.time)
        self.assertEqual('1970-01-01T00:00:40.000Z', self.read().newest.time)
        error = self.assertRaises(NovaExtError, self.read, 5.0)
        self.assertIn('no decision until then', str(error))

    def test_find(self):
        """A server or a request; or an error."""
        self.assertEqual(
            10.0, self.read(wanted='ctl-1-1').find().decision.time
        )
        self.assertEqual(
            20.0, self.read(wanted='req-1').find().decision.time
        )
        error = self.assertRaises(
            NovaExtError, self.read(15.0, 'ctl-1-3').find
        )
        self.assertIn('no decision about ctl-1-3', str(error))
        error = self.assertRaises(NovaExtError, self.read, 1.0)
        self.assertIn('has no decision until then', str(error))

    def test_find_boot(self):
        """The newest of which placement was asked the same."""
        cloud = self.read()
        for like in (
            BootLike('small'), BootLike('1', 'cirros'),
            BootLike('small', 'i', project='p'),
        ):
            self.assertEqual(20.0, cloud.find_boot(like).decision.time)
        self.assertEqual(40.0, cloud.find_boot(BootLike('big')).decision.time)
        for like, text in (
            (BootLike('huge'), 'no request of the journal has flavor huge'),
            (BootLike('small', 'other'), 'flavor small, image other, no zone'),
            (BootLike('small', zone='z'), 'flavor small, zone z and no'),
            (BootLike('small', project='q'), 'no zone, project q and no'),
        ):
            error = self.assertRaises(NovaExtError, cloud.find_boot, like)
            self.assertIn(text, str(error))

    def test_damage(self):
        """It is noted, and the rest is used."""
        path = sorted(self.folder.glob('ctl-1*'))[0]
        path.write_bytes(path.read_bytes()[:-3])
        cloud = self.read()
        self.assertEqual(30.0, cloud.newest.decision.time)
        self.assertIn('cut off at byte', cloud.notes[0])
        error = self.assertRaises(NovaExtError, cloud.find)
        self.assertIn('cut off at byte', str(error))
        self.assertIn('; the journal has no decision about', str(error))
