"""Special motions: where a system can rest, what neighbouring motions do, and how it rings."""
