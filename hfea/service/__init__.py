"""The service: HTTP, MCP, the maintainer's pages and the Hermes plugin; thin shells, no memory."""
