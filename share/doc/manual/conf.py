# SPDX-License-Identifier: GPL-3.0-or-later
# The manual, for Sphinx: `make html` and `make info`.
import os

project = "gpudbg"
author = "the authors of gpudbg"
copyright = "2025-2026, the authors of gpudbg"
version = release = os.environ.get("GPUDBG_VERSION", "")
html_theme = "alabaster"
html_theme_options = {
    "description": "GPU code and captured GPU state, in a terminal",
    "fixed_sidebar": True,
    "page_width": "1100px",
    "sidebar_width": "230px",
    "font_family": "system-ui, sans-serif",
    "code_font_family": "'DejaVu Sans Mono', Menlo, Consolas, monospace",
    "code_font_size": "0.8em",
}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
highlight_language = "none"
pygments_style = "sphinx"
smartquotes = False
texinfo_documents = [("index", "gpudbg", "gpudbg", author, "gpudbg", "GPU machine code debugger", "Development")]
