"""Compare the engine's decisions with those of Nova's own code."""
