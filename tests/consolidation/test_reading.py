"""A newcomer reads the episodes of world A, without the sessions, and can answer."""

from __future__ import annotations

import json
from pathlib import Path

from days import by_day, case_messages

QUESTIONS = Path(__file__).parents[1] / "data" / "world_a_reading.jsonl"
ENOUGH = 8


def test_eight_of_ten_prepared_questions_are_answered_by_the_episodes_alone(shared: Path) -> None:
    sessions = shared / "data" / "worlds" / "world-a" / "sessions.jsonl"
    episodes = {
        e.day.isoformat(): e for e in by_day(case_messages(sessions, "Iara"), "America/Sao_Paulo")
    }
    answered = []
    for line in QUESTIONS.read_text("utf-8").splitlines():
        question = json.loads(line)
        texts = [s.text.lower() for s in episodes[question["day"]].statements()]
        if any(
            any(all(w.lower() in text for w in words) for text in texts)
            for words in question["any"]
        ):
            answered.append(question["q"])
    assert len(answered) >= ENOUGH, answered
