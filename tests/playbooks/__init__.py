"""Run the playbooks with Ansible, on hosts that are folders."""
