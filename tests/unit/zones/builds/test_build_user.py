"""Ask zones for offers again, for a build of a user."""

import time

from oslo_config import cfg

from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.child import open_children
from nova_ext.zones.tables.models import Build, Item
from tests.unit.api.base import OURS
from tests.unit.zones.offers import base


class AskAgainTest(base.GatheringTestCase):
    """Have a cheap zone and a dear one, and no room here."""

    def setUp(self):
        """Add the zones."""
        super().setUp()
        self.backends.fake.costs = []
        self.cheap = self.add_child('cheap', 1, 2, 3)
        self.dear = self.add_child('dear', 8)

    def ask(self, *items):
        """Return zone and attempt of what is planned next."""
        build = Build(
            uuid='b', name='web', count=3, project_id=OURS, user_id='user',
            request=base.BUILD,
        )
        user = BuildUser(
            self.database, open_children(cfg.CONF),
            self.backends.scheduler, build, None,
        )
        attempts, _ = user.ask_again(build, [
            Item(
                number=number, attempt=1, parent=self.zones['root'].uuid,
                reason=reason,
                child_uuid=via[0] if via else None,
                expires_at=int(time.time()),
            ) for number, (via, reason) in enumerate(items, 1)
        ])
        return [
            (each.number, each.zone, each.attempt)
            for each in attempts
        ]

    def test_failed(self):
        """The zone that failed is asked for what others have no room for."""
        cheap = [self.cheap.uuid]
        self.assertEqual(
            [(1, 'dear', 2), (2, 'cheap', 2), (3, 'cheap', 2)], self.ask(
                (cheap, 'server_error'), (cheap, 'quota'), ([], 'deleted')
            ),
        )

    def test_expired(self):
        """A zone whose offer expired did not fail."""
        self.assertEqual(
            [(1, 'cheap', 2)], self.ask(([self.cheap.uuid], 'expired'))
        )
