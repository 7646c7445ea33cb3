"""What was said: clauses with theme, polarity and holder, and facts, in pt-BR and English."""

from memory_core.extraction.clauses import clauses, in_passing
from memory_core.extraction.model import Clause, TimeExpression
from memory_core.extraction.sentences import sentences
from memory_core.extraction.small_talk import small_talk

__all__ = ["Clause", "TimeExpression", "clauses", "in_passing", "sentences", "small_talk"]
