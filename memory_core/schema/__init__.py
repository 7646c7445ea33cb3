"""SQL migrations of the core's own stores, numbered."""
