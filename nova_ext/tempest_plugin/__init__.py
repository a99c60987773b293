"""Tempest tests of a cloud with nova-ext; of Tempest's stable parts alone."""
