"""`python -m hfea` is `hfea`."""

import sys

from hfea.cli import main

sys.exit(main())
