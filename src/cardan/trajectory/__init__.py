"""Following a motion: its start, the coordinates it is written in, what may interrupt it, and what comes out."""
