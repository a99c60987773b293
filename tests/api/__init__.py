"""Compare the API with its own description."""
