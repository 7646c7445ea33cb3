"""Pure ranking over given rows: lexical, HRR, embedding, entities, fusion."""
