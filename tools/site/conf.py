"""Settings of Sphinx. The source tree is made by ``tools.site.gathering``; nothing is loaded from a network."""

from __future__ import annotations

import cardan

project = "Cardan"
author = "The Cardan developers"
copyright = "The Cardan developers"  # the name that Sphinx asks for
version = release = cardan.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "tools.site.docstrings"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_display_short_literal_types = True
add_module_names = False
default_role = "literal"

html_theme = "pydata_sphinx_theme"
html_title = f"Cardan {release}"
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "logo": {"text": "Cardan"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "header_links_before_dropdown": 7,
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "gallery": []}
html_context = {"default_mode": "auto"}
