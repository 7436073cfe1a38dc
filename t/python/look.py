# SPDX-License-Identifier: GPL-3.0-or-later
"""look.py PICTURE: how many pixels a picture of share/python/examples/divergence.ipynb has, how many of them have the
grey of masked lanes, and how many the dark of lanes that execute."""
import sys

import matplotlib.image
import numpy as np

picture = np.rint(matplotlib.image.imread(sys.argv[1])[:, :, :3] * 255).astype(int)
level = picture[:, :, 0]
plain = (picture == picture[:, :, :1]).all(axis=2)  # neither red, green nor blue
print(level.size, (plain & (level == 0xD9)).sum(), (plain & (level < 60)).sum())
