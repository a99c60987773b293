"""Hold the engine's decisions against those of Nova's own code."""
