"""Send hostile messages to the scheduler's RPC server, as any peer could."""

import tests.functional  # noqa: F401  chooses threads before Nova is imported

# isort: split
import inspect
import logging
import warnings
from collections import Counter

import fixtures
import oslo_messaging as messaging
from oslo_config import cfg

from nova_ext.client import wire
from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.scheduler.rpc.endpoint import SchedulerEndpoint
from nova_ext.scheduler.rpc.mirror_endpoint import MirrorEndpoint
from tests.functional_rpc import test_topics
from tests.hostile import drawing
from tests.unit.zones import base as zones_base

MESSAGES = 2000
METHODS = {
    name for endpoint in (SchedulerEndpoint, MirrorEndpoint)
    for name, value in vars(endpoint).items()
    if inspect.isfunction(value) and not name.startswith('_')
}
_BOOT = {
    'request': {
        'flavor': {'vcpus': 1, 'memory_mb': 512, 'root_gb': 1},
        'image': {'id': 'i', 'properties': {}}, 'hints': {'a': ['b']},
        'count': 1, 'project_id': 'p', 'user_id': 'u',
    },
    'changes': {'filters': ['ComputeFilter'], 'multipliers': {'r': 1.0}},
}
#: Arguments that fit, of each method.
ARGUMENTS = {
    'schedule': {
        'topic': 'backup', 'schedule_method': 'choose',
        'arguments': {'disk': 'ssd'},
    },
    'update_service_capabilities': {
        'service_name': 'backup', 'host': 'b-1', 'serial': 1,
        'capabilities': {'disk': ['ssd', 'hdd'], 'free_gb': 5},
    },
    'update_resource_stats': {
        'name': 'cmp-1', 'stats': {'ext:load1': 1.5}, 'serial': 1,
    },
    'simulate': {**_BOOT, 'ranked_hosts': 5},
    'simulate_move': {
        'request': {'server': zones_base.UUID, 'operation': 'migrate'},
        'changes': {}, 'ranked_hosts': 5,
    },
    'rehearse': {'request': {'hosts': ['cmp-1'], 'is_loss': True}},
    'rehearse_losses': {'request': {'losses': {'cmp-1': ['cmp-1']}}},
    'capacity': _BOOT,
    'diagnose': {
        'query': 'resources=VCPU:1', 'offered': 'x',
        'ended': '2026-11-21T12:00:00.000Z',
    },
    'report_mirror': {'question': 'q'},
    'take_mirror_report': {'question': 'q', 'report': {
        'host': 'ctl', 'worker': 1, 'mode': 'on', 'state': 'on',
    }},
    'take_claims': {'worker': 'w', 'claims': [['p', {'VCPU': 1}]]},
    'required_stats': {}, 'offers_honoured': {}, 'service_capabilities': {},
    'in_force': {}, 'mirror_states': {},
}
#: Characters of the log that all messages together may cost.
MOST_LOGGED = 200_000


class MessagesTest(test_topics.TopicsTestCase):
    """Have two hosts, and a driver beside Nova's."""

    def setUp(self):
        """Open a transport that sends what no client would."""
        super().setUp()
        self.transport = messaging.get_rpc_transport(cfg.CONF, test_topics.URL)
        self.addCleanup(self.transport.cleanup)
        self.logs = [
            self.useFixture(fixtures.FakeLogger(name, logging.WARNING))
            for name in ('oslo_messaging.rpc.server', 'nova_ext.scheduler')
        ]
        self.dice = drawing.open_dice('messages')
        # Nova's tests raise what oslo.versionedobjects only warns of.
        warnings.filterwarnings('ignore', category=FutureWarning)

    def test_messages(self):
        """Each caller gets an answer or a refusal; the scheduler goes on."""
        self.assertEqual(METHODS, ARGUMENTS.keys())
        counts = Counter()
        sender = wire.NovaContextSerializer().serialize_context(self.me)
        for _ in range(MESSAGES):
            self.send(sender, counts)
        drawing.count('messages', counts)
        self.assertEqual(
            ['cmp-1', 'cmp-2'], self.program.hosts_up(self.me, 'compute')
        )
        self.boot({'requested_host': 'cmp-2'})
        theirs, ours = (log.output for log in self.logs)
        self.assertEqual('', theirs)
        self.assertLess(len(ours), MOST_LOGGED)

    def send(self, sender, counts):
        """Send one message of which something is wrong, as a call or not."""
        dice = self.dice
        method = dice.choice([*ARGUMENTS])
        message = {
            'method': method, 'version': wire.VERSION,
            'args': drawing.spoil(ARGUMENTS[method] or {'x': 0}, dice),
        }
        is_wrong = dice.random() < 0.2
        if is_wrong:
            message = drawing.spoil(message, dice)
            sender = drawing.spoil(sender, dice)
        # What is no object, or no JSON, does not come from a bus.
        if not isinstance(message, dict) or not isinstance(sender, dict):
            return
        waits = dice.random() < 0.7
        try:
            self.transport._send(
                messaging.Target(exchange=wire.EXCHANGE, topic=wire.TOPIC),
                sender, message, **(
                    {'wait_for_reply': True, 'timeout': 300} if waits else {}
                ),
            )
        except (SchedulingError, messaging.RPCDispatcherError) as error:
            counts[type(error).__name__] += 1
        except Exception as error:
            # A malformed envelope ends in whatever its reader raises.
            is_wrong |= not isinstance(message.get('args'), dict)
            if not is_wrong or isinstance(error, messaging.MessagingTimeout):
                raise
            counts['another error of a malformed envelope'] += 1
        else:
            counts['answered' if waits else 'cast'] += 1
