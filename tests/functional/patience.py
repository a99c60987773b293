"""Waits that hold on a busy machine too; Nova's own give up after 10 s."""

import time

from nova.tests.functional.api import client

#: Seconds in which a server or a migration must reach its state.
DEADLINE_S = 60
#: The same of what takes many steps.
LONG_DEADLINE_S = 180
#: As Nova's own waits; each question takes a tenth of a second of its time.
POLL_S = 0.5


class PatientMixin:
    """Comes before Nova's class in the bases of a test case."""

    def wait_for(self, question, what, deadline_s=DEADLINE_S):
        """Ask until the answer is true.

        :param question: called without arguments.
        :param what: what is waited for, in words.
        :param deadline_s: seconds.
        :returns: the answer.
        """
        deadline = time.monotonic() + deadline_s
        while time.monotonic() < deadline:
            # First, since nothing has changed at once.
            time.sleep(POLL_S)
            if answer := question():
                return answer
        raise self.failureException(f'waited {deadline_s} s for {what}')

    def _shelve_server(self, server, expected_state='SHELVED_OFFLOADED'):
        """As Nova's, until the server is off its host.

        Nova tells the state before it forgets the host.
        """
        super()._shelve_server(server, expected_state)
        return self._wait_for_server_parameter(
            server, {'OS-EXT-SRV-ATTR:host': None}
        )

    def _wait_for_server_parameter(
        self, server, expected_params, max_retries=0, api=None,
        wait_for_fault_key=True,
    ):
        """As Nova's, for longer, and given up on an error."""
        api = api or self.admin_api
        shown = {}

        def reached():
            shown.update(api.get_server(server['id']))
            if shown['status'] == 'ERROR' != expected_params.get('status'):
                self.fail(f'not {expected_params}: {shown.get("fault")}')
            return all(
                shown.get(name) == value
                for name, value in expected_params.items()
            ) and (
                expected_params.get('status') != 'ERROR'
                or not wait_for_fault_key or 'fault' in shown
            )

        self.wait_for(reached, f'{expected_params} of {server["id"]}')
        return shown

    def _wait_until_deleted(self, server):
        """As Nova's, for longer."""
        def gone():
            try:
                self.api.get_server(server['id'])
            except client.OpenStackApiNotFoundException:
                return True
            return False

        self.wait_for(gone, f'the end of {server["id"]}')

    def _wait_for_migration_status(self, server, expected_statuses):
        """As Nova's, for longer."""
        def reached():
            listed = self.admin_api.api_get('/os-migrations').body
            return [
                migration for migration in listed['migrations']
                if migration['instance_uuid'] == server['id']
                and migration['status'] in expected_statuses
            ]

        return self.wait_for(reached, f'migration {expected_statuses}')[0]

    def _wait_for_instance_action_event(
        self, server, action_name, event_name, event_result
    ):
        """As Nova's, for longer."""
        def reached():
            api = self.admin_api
            return [
                event
                for action in api.get_instance_actions(server['id'])
                if action['action'] == action_name
                for event in api.get_instance_action_details(
                    server['id'], action['request_id']
                )['events']
                if event['event'] == event_name
                and (event['result'] or '').lower() == event_result.lower()
            ]

        what = f'{event_name} {event_result}'
        return self.wait_for(reached, what)[0]

    def _migrate_server(
        self, server, host=None, expected_state='VERIFY_RESIZE', api=None
    ):
        """As Nova's of today; older ones take no ``api``."""
        body = {'host': host} if host else None
        (api or self.api).post_server_action(server['id'], {'migrate': body})
        return self._wait_for_state_change(server, expected_state)

    def _live_migrate(self, server, host=None):
        """As Nova's of today; older ones take no ``host``."""
        self.api.post_server_action(server['id'], {'os-migrateLive': {
            'host': host, 'block_migration': 'auto',
        }})
        self._wait_for_migration_status(server, ['completed'])
        return self._wait_for_state_change(server, 'ACTIVE')

    def _resize_server(self, server, flavor_id):
        """As Nova's, for longer."""
        return self._act_and_hear(
            server, {'resize': {'flavorRef': flavor_id}},
            'instance.resize.end', 'VERIFY_RESIZE',
        )

    def _rebuild_server(self, server, image_uuid, expected_state='ACTIVE'):
        """As Nova's, for longer."""
        return self._act_and_hear(
            server, {'rebuild': {'imageRef': image_uuid}},
            'instance.rebuild.end', expected_state,
        )

    def _act_and_hear(self, server, action, notification, expected_state):
        self.api.post_server_action(server['id'], action)
        self.notifier.wait_for_versioned_notifications(
            notification, timeout=DEADLINE_S
        )
        return self._wait_for_state_change(server, expected_state)
