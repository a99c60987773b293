"""The example in one process, without a broker: scheduler, hosts and asker."""

import contextlib
import hashlib
import sys
from pathlib import Path

import fixtures

from nova_ext import client
from nova_ext.core.explanation import explain
from tests.functional_rpc.test_topics import TopicsTestCase

EXAMPLE = Path(__file__).parents[2] / 'examples' / 'image-prefetch'
PLUGINS = (
    'driver', 'group_filter', 'room_filter', 'held_weigher', 'space_weigher',
)


class ImagePrefetchTest(TopicsTestCase):
    """Three hosts of two groups; one of them can't read the source."""

    drivers = ('FilterScheduler', 'ImagePrefetchDriver')

    def configure(self):
        """The plugins as plain files, since nothing is installed here."""
        self.useFixture(fixtures.MonkeyPatch(
            'sys.path', [str(EXAMPLE), *sys.path]
        ))
        self.flags(group='nova_ext', plugin_files=[
            str(EXAMPLE / 'image_prefetch' / f'{name}.py') for name in PLUGINS
        ])

    def setUp(self):
        """An image, and the services of the hosts."""
        super().setUp()
        from image_prefetch import cache, image, prefetch, service
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        source = self.folder / 'source'
        source.mkdir()
        content = b'cirros' * 10**5
        (source / 'cirros.img').write_bytes(content)
        (source / 'cirros.img.sha256').write_text(
            f'{hashlib.sha256(content).hexdigest()}  cirros.img\n'
        )
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        for host, groups, its_source, most_mb in (
            ('i-1', ['ssd'], self.folder / 'unreadable', 30),
            ('i-2', ['ssd', 'eu'], source, 20),
            ('i-3', ['hdd'], source, 10),
        ):
            stack.enter_context(service.serving(
                self.program, host,
                cache.Cache(self.folder / host, its_source, most_mb), groups,
            ))
        self.wait_for(
            lambda: len(self.program.hosts_up(self.me, 'image_prefetch')) == 3,
            'all to report',
        )
        self.image = image.read(source, 'cirros.img')
        self.prefetch = prefetch.Prefetch(self.program, self.me, copy_s=30)

    def held(self, host):
        """Names of the images in a host's folder."""
        return [path.name for path in (self.folder / host).iterdir()]

    def test_prefetch(self):
        """The best fails and is told; the next best has the image then."""
        chosen = self.prefetch.choose(self.image, group='ssd')
        self.assertEqual(['i-1', 'i-2'], chosen['hosts'])
        outcomes = self.prefetch.fetch(self.image, chosen['hosts'])
        self.assertEqual(
            [('i-1', 'failed', 'cirros.img can\'t be copied: No such file or '
              'directory'), ('i-2', 'copied', '')],
            [(one.host, one.result, one.why) for one in outcomes],
        )
        self.assertEqual([], self.held('i-1'))
        self.assertEqual(['cirros.img'], self.held('i-2'))
        # Its service has reported it, so that it comes first now.
        self.wait_for(
            lambda: self.prefetch.choose(self.image)['hosts'][0] == 'i-2',
            'the report',
        )

    def test_explanation(self):
        """The record tells of it as the driver does, filters and weighers."""
        chosen = self.prefetch.choose(self.image, count=2)
        decision = self.decisions()[-1]
        explanation = explain.explain(decision)
        self.assertEqual(chosen['why'], explanation.sentence)
        self.assertEqual(
            ('i-1, i-2 chosen from 3 of 3 hosts; alternates i-3',
             'image_prefetch', self.me.request_id),
            (explanation.sentence, decision.topic, decision.request_id),
        )
        self.assertIn(
            'weight 1: ImageSpaceWeigher 1',
            [row.reason for row in explanation.rows],
        )
        error = self.assertRaises(
            client.NoHostError, self.prefetch.choose, self.image, group='us'
        )
        self.assertEqual(
            '0/3 hosts: 3 not in group us (ImageGroupFilter)', str(error)
        )

    def test_beside_compute(self):
        """Servers boot as ever; nothing of the example is asked."""
        server = self.boot({'requested_host': 'cmp-2'})
        self.assertEqual('cmp-2', self.host_of(server))
        (decision,) = self.decisions()
        self.assertEqual(
            {'ComputeFilter', 'SpecifiedHostFilter'},
            {step.name for step in decision.attempts[0].steps},
        )
        self.assertNotIn(
            'ImageSpaceWeigher',
            [one.name for one in decision.attempts[0].weighers],
        )
