"""Reach this machine, but for one task of one host."""

import os

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.connection import local

DOCUMENTATION = """
name: unreachable
short_description: Fail where NOVA_EXT_UNREACHABLE names the task
description: Its value is the name of a host, a space and that of the task.
options: {}
extends_documentation_fragment: [connection_pipelining]
"""


class Connection(local.Connection):
    """Raise what SSH raises, for that task."""

    transport = 'unreachable'

    def set_options(self, task_keys=None, var_options=None, direct=None):
        """Note the name of the task."""
        self._task = (task_keys or {}).get('name')
        super().set_options(task_keys, var_options, direct)

    def exec_command(self, *words, **options):
        """Run a command, or fail."""
        here = f'{self._play_context.remote_addr} {self._task}'
        if here == os.environ.get('NOVA_EXT_UNREACHABLE'):
            raise AnsibleConnectionFailure('out of reach for one task')
        return super().exec_command(*words, **options)
