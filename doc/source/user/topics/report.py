"""A backup service that says how much space its host has."""

import shutil
import sys
import time

from oslo_config import cfg
from oslo_context import context

from nova_ext.client import Reporter, SchedulerClient

nova_conf, host = sys.argv[1:]
cfg.CONF(['--config-file', nova_conf], project='nova')
with Reporter(
    SchedulerClient(), context.RequestContext(), 'backup', host, interval_s=2
) as reporter:
    while True:
        free_gb = shutil.disk_usage('/').free // 2**30
        reporter.report({'free_gb': free_gb, 'keeps': ['full', 'diff']})
        time.sleep(1)
