"""Whether the unit tests of core notice when its code is wrong."""
