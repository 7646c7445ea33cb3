"""What a secret looks like: rules by shape and by context, one idea a module."""
