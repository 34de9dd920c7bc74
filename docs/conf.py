"""Settings of Sphinx: `make docs` builds the site into docs/_build/html, without a network."""

from __future__ import annotations

from importlib import metadata

project = "Accord"
author = "The Accord developers"
release = metadata.version("accord-mc")

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Pages lead to files of the project as well; the site has no copy of these.
suppress_warnings = ["myst.header"]

nb_execution_mode = "force"
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_execution_in_temp = True

# Docstrings quote code by single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"

html_theme = "furo"
html_title = f"Accord {release}"
html_static_path: list[str] = []
