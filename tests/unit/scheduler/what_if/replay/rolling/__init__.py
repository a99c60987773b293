"""Replay a day as it would have gone."""
