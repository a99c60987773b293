"""Members of a server group that are scheduled at the same time."""

import threading

import fixtures
from nova.compute import manager

from nova_ext.core.explanation import group_members
from nova_ext.lab.configuration import nova_config
from tests.functional import base, patience
from tests.functional_explain.test_server_outcome import read_history


class GroupMembersTest(base.CloudTestCase):
    """Schedule a second member before nova-compute builds the first."""

    hosts = ('cmp-1', 'cmp-2')
    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter', 'ServerGroupAntiAffinityFilter'
    )
    microversion = '2.87'
    weight_classes = tuple(nova_config.WEIGHT_CLASSES.split(','))

    def setUp(self):
        """Hold every build until it may go on."""
        super().setUp()
        self.allowed = threading.Semaphore(0)
        self.addCleanup(self.allowed.release, 2)
        build = manager.ComputeManager._do_build_and_run_instance

        def build_later(*args, **kwargs):
            self.allowed.acquire(timeout=patience.LONG_DEADLINE_S)
            return build(*args, **kwargs)

        self.useFixture(fixtures.MockPatchObject(
            manager.ComputeManager, '_do_build_and_run_instance', build_later
        ))

    def boot_two(self, policy):
        """Return two members on one host, which neither scheduler call saw.

        The first decision is recorded before the second member is requested.
        """
        group = self.api.post_server_groups(
            {'name': policy, 'policy': policy}
        )['id']
        hints = {'group': group, 'requested_host': 'cmp-1'}
        members = []
        for count in 1, 2:
            members.append(self.boot(hints, expected_state='BUILD'))
            self.wait_for(
                lambda count=count: self.record.exists()
                and len(self.decisions()) == count, 'a decision',
            )
        return [member['id'] for member in members]

    def finish(self, members):
        """Let both builds go on, one after the other.

        :returns: the members by state.
        """
        by_state = {}
        for count in 1, 2:
            self.allowed.release()
            self.wait_for(lambda count=count: count == len([
                member for member in members
                if self.api.get_server(member)['status'] != 'BUILD'
            ]), 'a build')
        for member in members:
            status = self.api.get_server(member)['status']
            by_state.setdefault(status, []).append(member)
        return by_state

    def note(self, server):
        """Return the note on the decision about a member."""
        decisions = self.decisions()
        (decision,) = (one for one in decisions if server in one.servers)
        (note,) = group_members.describe_in_flight(
            decision, decisions, remark=group_members.ONE_SCHEDULER
        )
        return note

    def test_apart(self):
        """Name the member because of which nova-compute refused another."""
        by_state = self.finish(self.boot_two('anti-affinity'))
        (failed,), (built,) = by_state['ERROR'], by_state['ACTIVE']
        self.assertIn(f': {built} on cmp-1; ', self.note(failed))
        # Nova's own fault does not name the group.
        fault = read_history(self.admin_api, failed).fault
        self.assertIn('Exhausted all hosts', fault)

    def test_softly_apart(self):
        """Say that one host got several, where nothing failed."""
        by_state = self.finish(self.boot_two('soft-anti-affinity'))
        first, second = by_state['ACTIVE']
        self.assertEqual(
            f'1 other server of its group got hosts within 60 s, when the '
            f'scheduler may not have seen them there: {first} on cmp-1; '
            f'cmp-1 got several; other schedulers may have placed more',
            self.note(second),
        )
