"""Run the playbooks against a lab, whose two schedulers are two hosts."""
