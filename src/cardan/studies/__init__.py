"""Runs that are kept, and many of them: files of results, stores, sweeps, maps."""
