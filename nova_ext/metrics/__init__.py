"""The record of decisions as metrics for Prometheus."""
