"""The seven layers, one module or folder each; they never import one another."""
