"""Tests of nova_ext/scheduler/launch/."""
