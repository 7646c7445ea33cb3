"""One pass of the night: compare sources with the ledger, then seal what is due."""
