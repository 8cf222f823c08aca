"""The documentation site: pages of docs/, executed; a reference made from the code; built by Sphinx, read offline."""
