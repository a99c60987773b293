"""Have kolla read what its guide says, and write its Dockerfiles."""

import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import testtools

from tests.playbooks import base

GUIDE = base.ROOT / 'doc/source/deploy/kolla-ansible.rst'

#: kolla-build --template-only ends without a word about plugins.
LIST = """
import sys
from kolla.common import config
from kolla.image import kolla_worker
from oslo_config import cfg
conf = cfg.ConfigOpts()
config.parse(conf, sys.argv[1:], prog='kolla-build')
worker = kolla_worker.KollaWorker(conf)
worker.setup_working_dir()
worker.find_dockerfiles()
worker.create_dockerfiles()
worker.build_image_list()
for image in worker.images:
    for plugin in image.plugins:
        print(image.name, plugin['type'], plugin['source'])
"""


def read_block(language, first):
    """Return a block of the guide that begins with these words."""
    return textwrap.dedent(re.search(
        rf'code-block:: {language}\n\n((?: +{re.escape(first)}.*\n)'
        r'(?: +.*\n)*)', GUIDE.read_text(),
    )[1])


class ImageTest(testtools.TestCase):
    """Make nova's Dockerfiles; no engine is needed for that."""

    def test_guide(self):
        """nova-base takes the plugin, and the layer is the scheduler's."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        own = Path(folder.name)
        (own / 'kolla-build.conf').write_text(
            read_block('ini', '[nova-base-plugin')
        )
        (own / 'override.j2').write_text(read_block('text', '{% extends'))
        done = subprocess.run(
            [sys.executable, '-c', LIST, '--template-only',
             f'--config-file={own}/kolla-build.conf',
             f'--template-override={own}/override.j2',
             f'--work-dir={own}/work', '^nova-'],
            text=True, check=False, capture_output=True,
        )
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn(
            'nova-base git https://opendev.org/openstack/nova-ext\n',
            done.stdout,
        )
        [scheduler] = own.glob('work/**/nova-scheduler/Dockerfile')
        self.assertIn('\nRUN ln -sf nova-ext-scheduler ',
                      scheduler.read_text())
