"""Programs for those who work on Cardan; nothing here is installed with it."""
