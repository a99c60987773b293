"""Let plugins and the record fail while servers are booted."""

import os
import stat

from nova_ext.lab.state import paths
from tests.faults import base

RAISING = '''
from nova_ext.plugin import PASS, Filter


class RaisingFilter(Filter):
    def check(self, host, request):
        if request.instance_uuid[0] in '01234567':
            raise ValueError('half of them')
        return PASS
'''
SLEEPING = '''
import time

from nova_ext.plugin import PASS, Filter


class SleepingFilter(Filter):
    def check(self, host, request):
        time.sleep(0.1)
        return PASS
'''
HANGING = f'''
import time

from nova_ext.plugin import PASS, Filter


class HangingFilter(Filter):
    def check(self, host, request):
        if request.instance_uuid[0] == '0' and host.host == 'one':
            time.sleep({base.LONG_RPC_TIMEOUT_S + 10})
        return PASS
'''


class RecordTest(base.FaultTestCase):
    """Fail no boot for a record that can't be written."""

    def test_full_disk(self):
        """Every server is placed; the log says how many went unrecorded."""
        def fault():
            record = paths.find('default').record
            record.rename(record.with_name('before.jsonl'))
            self.addCleanup(record.unlink)
            # A device like /dev/full; no scheduler follows a link to it.
            os.mknod(record, stat.S_IFCHR | 0o666, os.makedev(1, 7))

        active, failed, stuck = self.outcomes(self.boot_during(fault))
        self.assertEqual((base.BOOTS, [], []), (len(active), failed, stuck))
        logs = ''.join(
            paths.find('default').log(f'scheduler-{number}').read_text()
            for number in (1, 2)
        )
        self.assertIn('decisions could not be recorded', logs)
        self.assertIn('No space left on device', logs)

    def test_garbage(self):
        """Every server is placed, recorded and explained."""
        def fault():
            with paths.find('default').record.open('ab') as record:
                record.write(b'{"version": ' + os.urandom(100_000))

        active, failed, stuck = self.outcomes(self.boot_during(fault))
        self.assertEqual((base.BOOTS, [], []), (len(active), failed, stuck))
        for server in (active[0], active[-1]):
            self.assertIn(
                f'{server["OS-EXT-SRV-ATTR:host"]} chosen',
                self.explain(server['id'])['sentence'],
            )


class PluginsTest(base.FaultTestCase):
    """Fail the requests of a broken plugin, and name it."""

    def load(self, name, text, **more):
        """Let the schedulers use one more filter.

        :param more: further options of the group DEFAULT.
        """
        path = self.home / f'{name}.py'
        path.write_text(text)
        options = {
            'nova_ext.plugin_files': path,
            'filter_scheduler.enabled_filters': f'ComputeFilter,{name}',
            **{f'DEFAULT.{option}': value for option, value in more.items()},
        }
        self.lab('up', *(
            word for option, value in options.items()
            for word in ('--set', f'{option}={value}')
        ))
        self.addCleanup(self.lab, 'up', *(
            word for option in options for word in ('--unset', option)
        ))

    def test_raising(self):
        """The requests that it raises for fail with its name, no others."""
        self.load('RaisingFilter', RAISING)
        _, failed, stuck = self.outcomes(self.boot_during())
        self.assertEqual([], stuck)
        self.assertEqual(
            {one['id'] for one in self.servers() if one['id'][0] < '8'},
            {one['id'] for one in failed},
        )
        explanation = self.explain(failed[0]['id'])['sentence']
        self.assertIn('filter RaisingFilter raised ValueError', explanation)

    def test_sleeping(self):
        """Requests take longer, and none fails."""
        self.load('SleepingFilter', SLEEPING)
        active, failed, stuck = self.outcomes(self.boot_during())
        self.assertEqual((base.BOOTS, [], []), (len(active), failed, stuck))

    def test_hanging(self):
        """The requests that it holds up are given up in time, no others."""
        # Those of a lab decide about two requests at a time, if not told.
        self.load('HangingFilter', HANGING, executor_thread_pool_size=24)
        _, failed, stuck = self.outcomes(self.boot_during())
        self.assertEqual([], stuck)
        self.assertEqual(
            {one['id'] for one in self.servers() if one['id'][0] == '0'},
            {one['id'] for one in failed},
        )
        for server in failed:
            self.assertEqual('MessagingTimeout', server['fault']['message'])
