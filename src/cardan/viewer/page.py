"""The page of the viewer: a shell that loads the bundle and says where its data come from."""

from __future__ import annotations

from html import escape

SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="cardan-socket" content="{socket}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="cardan.css">
<title>{title}</title>
</head>
<body>
<div id="cardan"></div>
<noscript>The viewer is a program for the browser: allow scripts for this page.</noscript>
<script src="cardan.js"></script>
</body>
</html>
"""


def page(name: str, socket: str) -> str:
    """The HTML of the page for a system called ``name``, whose data come over the WebSocket at ``socket``."""
    return SHELL.format(title=f"{escape(name)} - Cardan", socket=escape(socket, quote=True))
