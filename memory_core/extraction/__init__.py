"""What was said: clauses with theme, polarity and holder, and facts, in pt-BR and English."""
