"""The command line: parses, calls, prints and sets exit codes."""
