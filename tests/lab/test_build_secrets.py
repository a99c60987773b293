"""Secrets that builds over labs pass on, and leave nowhere."""

import secrets

from nova_ext.cli import boot
from nova_ext.lab.state import lab_state, paths
from tests.lab import canaries
from tests.lab.zone_builds import NAMES, PARENT, ZoneBuildsTestCase

METADATA = 'canary-metadata-7c1f9b'
USER_DATA = 'canary-userdata-7c1f9b'


class BuildSecretsTest(ZoneBuildsTestCase):
    """Tokens, passwords and user data of three zones."""

    def test_build(self):
        """Neither databases nor logs nor processes show them."""
        cloud = self.cloud(PARENT)
        scheduler = cloud.service('scheduler')
        flavor = boot.convert_flavor(
            cloud.get('compute', '/flavors/1')['flavor']
        )
        del flavor['flavorid']
        fields = {
            'name': 'web', 'flavor': flavor, 'image': {'name': 'cirros'},
            'networks': 'none', 'count': 9, 'metadata': {'key': METADATA},
        }
        refused = scheduler.post('/v1/builds', json={
            'build': {**fields, 'user_data': USER_DATA},
        }, raise_exc=False)
        self.assertEqual(400, refused.status_code, refused.text)
        build = scheduler.post(
            '/v1/builds', json={'build': fields}
        ).json()['build']
        self.wait_for_build(
            build['id'], lambda found: found['state'] == 'active'
        )
        self.assertEqual([3, 3, 3], [len(names) for names in self.servers()])
        planted = {
            'token': cloud.session.get_token(), 'user data': USER_DATA, **{
                f'{user} of {name}': password for name in NAMES
                for user, password
                in lab_state.load(paths.find(name)).passwords.items()
            },
        }
        self.assertEqual(set(), self.search(planted))
        # Metadata is a part of servers; the search finds it with them.
        stored = {
            where.removesuffix('-wal')
            for _, where in self.search({'metadata': METADATA})
            if '.sqlite' in where
        }
        self.assertEqual(
            {'nova.sqlite', 'nova_ext.sqlite'}, stored - {'nova_api.sqlite'}
        )
        self.delete(build)

    def test_search(self):
        """What is planted in each place is found there."""
        word = secrets.token_hex(8)
        lab = paths.find(PARENT)
        planted = lab.log('builder').with_name('planted.log')
        self.addCleanup(planted.unlink)
        planted.write_text(f'a line with {word}')
        self.assertEqual(
            {('word', 'planted.log')}, self.search({'word': word})
        )
        # All of them show in which lab they are.
        self.assertLessEqual(
            {('lab', 'environ'), ('lab', 'cmdline')},
            self.search({'lab': PARENT}),
        )

    def search(self, words):
        """Return pairs of a word's name and a place that holds it."""
        found = set()
        for name in NAMES:
            lab = paths.find(name)
            files = [
                *lab.databases.glob('*.sqlite*'),
                *lab.log('nova').parent.glob('*.log'),
            ]
            processes = self.processes(name)
            self.assertTrue(files and processes)
            found |= canaries.search_files(words, files)
            found |= canaries.search_processes(words, processes)
        return found
