# SPDX-License-Identifier: GPL-3.0-or-later
"""run_notebook.py NOTEBOOK FOLDER: executes a notebook, prints its text, and writes its pictures to FOLDER/N.png."""
import base64
import pathlib
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], 4)
nbformat.validate(notebook)
NotebookClient(notebook, timeout=300).execute()
pictures = 0
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        print(output.get("text", ""), end="")
        if "image/png" in output.get("data", {}):
            pictures += 1
            png = base64.b64decode(output["data"]["image/png"])
            pathlib.Path(sys.argv[2], f"{pictures}.png").write_bytes(png)
