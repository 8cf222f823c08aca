"""The report file and the displays of a notebook."""
