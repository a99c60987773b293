"""Tests of nova_ext.lint."""

from nova_ext.nova_releases import declared_options

# It takes three seconds, unless other programs take the machine.
declared_options.TIMEOUT_S = 180
