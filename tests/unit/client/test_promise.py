"""Keep the names that programs and schedulers of other versions use."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import testtools

from nova_ext import client

#: Public names of the class, and what they take.
METHODS = {
    '__init__': '(self, url: str | None = None, *, '
    "timeout_s: float = 60.0, exchange: str | None = 'nova') -> None",
    'capacity': '(self, context: Any, request: BootRequest, *, changes: '
    "Changes = Changes(filters=None, multipliers={}, driver='', "
    "ignore_room=False, new_group=''), "
    'is_empty: bool = False, diagnose: bool = True) -> Capacity',
    'close': '(self) -> None',
    'diagnose': '(self, context: Any, placement: Placement, ended: '
    'datetime.datetime) -> PlacementDiagnosis | None',
    'group_hosts': '(self, context: Any, topic: str, '
    "capability: str = '') -> dict[str, list[str]]",
    'hosts_up': '(self, context: Any, topic: str) -> list[str]',
    'in_force': '(self, context: Any) -> dict[str, Any]',
    'make_offers': '(self, context: Any, question: OfferQuestion) '
    '-> OfferAnswer',
    'mirror_states': '(self, context: Any) -> list[dict[str, Any]]',
    'rehearse': '(self, context: Any, request: RehearsalRequest) '
    '-> Rehearsal',
    'rehearse_losses': '(self, context: Any, request: LossesRequest) '
    '-> Losses',
    'required_stats': '(self, context: Any) -> list[str]',
    'schedule': '(self, context: Any, topic: str, schedule_method: str, /, '
    '**kwargs: Any) -> Any',
    'select_destinations': '(self, context: Any, '
    'request_spec: Mapping[str, Any], filter_properties: '
    'Mapping[str, Any]) -> Sequence[UnclaimedDestination]',
    'service_capabilities': '(self, context: Any) -> dict[str, Any]',
    'simulate': '(self, context: Any, request: BootRequest, *, changes: '
    "Changes = Changes(filters=None, multipliers={}, driver='', "
    "ignore_room=False, new_group=''), "
    'ranked_hosts: int = 100) -> Decision',
    'simulate_move': '(self, context: Any, request: MoveRequest, *, changes: '
    "Changes = Changes(filters=None, multipliers={}, driver='', "
    "ignore_room=False, new_group=''), "
    'ranked_hosts: int = 100) -> SimulatedMove',
    'update_resource_stats': '(self, context: Any, '
    'name: str | tuple[str, str], stats: Mapping[str, Any]) -> None',
    'update_service_capabilities': '(self, context: Any, '
    'service_name: str, host: str, capabilities: Mapping[str, Any]) -> None',
}
ALONE = '''
import sys
sys.modules['nova'] = None
import nova_ext.client
print(*sorted({name.partition('.')[0] for name in sys.modules}))
'''


class PromiseTest(testtools.TestCase):
    """Keep what programs of others use."""

    def test_methods(self):
        """Lose no name, argument or default."""
        found = {
            name: str(inspect.signature(value)).replace("'", '"')
            for name, value in inspect.getmembers(
                client.SchedulerClient, inspect.isfunction
            ) if name == '__init__' or not name.startswith('_')
        }
        self.assertEqual(
            {name: text.replace("'", '"') for name, text in METHODS.items()},
            _plain(found),
        )

    def test_names(self):
        """Find everything that the package names."""
        for name in client.__all__:
            self.assertTrue(hasattr(client, name), name)

    def test_alone(self):
        """Import without Nova."""
        done = subprocess.run(
            [sys.executable, '-c', ALONE], capture_output=True, text=True,
            check=True, env={**os.environ, 'PYTHONWARNINGS': 'ignore'},
        )
        loaded = done.stdout.split()
        self.assertIn('oslo_messaging', loaded)
        for foreign in ('keystoneauth1', 'oslo_db', 'sqlalchemy'):
            self.assertNotIn(foreign, loaded)

    def test_imports(self):
        """Import oslo.messaging and oslo.config, and no other library."""
        folder = Path(client.__file__).parent
        roots = set()
        for path in folder.glob('*.py'):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    roots |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    roots.add(node.module.partition('.')[0])
        self.assertEqual(
            {'nova_ext', 'oslo_config', 'oslo_messaging'},
            roots - sys.stdlib_module_names,
        )


def _plain(signatures):
    """Return annotations as they stand in the source."""
    names = ('oslo_config.', 'collections.abc.', 'typing.',
             'nova_ext.client.scheduler_client.',
             'nova_ext.core.rpc.boot_request.',
             'nova_ext.core.decision.decision.', 'nova_ext.core.rpc.capacity.',
             'nova_ext.core.rpc.move_request.', 'nova_ext.core.rpc.rehearsal.',
             'nova_ext.core.rpc.offers.', 'nova_ext.core.rpc.losses.')
    for name, text in signatures.items():
        for prefix in names:
            text = text.replace(prefix, '')
        signatures[name] = text
    return signatures
