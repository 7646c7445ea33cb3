"""The append-only record of nights, seen messages, questions, tickets, costs and feedback."""
