"""The public objects: thin, each method one call into a room."""
