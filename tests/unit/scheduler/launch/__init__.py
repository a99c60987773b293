"""Create servers on hosts that a driver chose."""
