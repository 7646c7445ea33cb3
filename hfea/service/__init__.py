"""Thin shells: HTTP, MCP and the web view around the calls of the inner rooms."""
