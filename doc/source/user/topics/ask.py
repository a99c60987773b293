"""Ask where a backup goes."""

import sys

from oslo_config import cfg
from oslo_context import context

from nova_ext.client import SchedulerClient

cfg.CONF(['--config-file', sys.argv[1]], project='nova')
me = context.RequestContext(user_id='me', project_id='mine')
with SchedulerClient(timeout_s=20) as scheduler:
    print(scheduler.hosts_up(me, 'backup'))
    print(scheduler.group_hosts(me, 'backup', 'keeps'))
    print(scheduler.schedule(me, 'backup', 'choose', size_gb=1))
