"""The metrics in Prometheus's text format 0.0.4: counts and sums, no free text, no ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hfea.service.numbers import Numbers
from hfea.service.tally import Traffic

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Samples = list[tuple[Mapping[str, str], float]]
Family = tuple[str, str, str, Samples]  # name, type, help, samples


def exposition(numbers: Numbers, traffic: Traffic) -> str:
    """Return everything as one page of text, names in a fixed order."""
    return "\n".join([*_ledger(numbers), *_requests(traffic)]) + "\n"


def _ledger(n: Numbers) -> Iterator[str]:
    for name, kind, told, samples in (*_nights(n), *_questions(n), *_costs(n)):
        yield from _family(name, kind, told, samples)


def _nights(n: Numbers) -> Iterator[Family]:
    ended: Samples = [({"kind": k}, v) for k, v in n.nights.items()]
    yield "hfea_nights_total", "counter", "Attempts at a day, by how they ended.", ended
    yield "hfea_days_sealed", "gauge", "Days with an episode.", [({}, n.days_sealed)]
    last: Samples = [] if n.last_night is None else [({}, n.last_night)]
    yield "hfea_last_night_timestamp_seconds", "gauge", "When a night last succeeded.", last


def _questions(n: Numbers) -> Iterator[Family]:
    ended: Samples = [({"verdict": v, "outcome": o}, c) for (v, o), c in n.questions.items()]
    yield "hfea_questions_total", "counter", "Live questions, by verdict and outcome.", ended
    yield "hfea_archive_opened_total", "counter", "Those that opened it.", [({}, n.opened)]
    yield "hfea_degraded_total", "counter", "Those without a model set.", [({}, n.degraded)]
    said: Samples = [({"value": k}, v) for k, v in n.feedback.items()]
    yield "hfea_feedback_total", "counter", "Feedback.", said
    states: Samples = [({"layer": a, "state": b}, c) for (a, b), c in n.layers.items()]
    yield "hfea_layer_consulted", "gauge", "Of the newest 500 questions, by state.", states
    seconds: Samples = [({"layer": a}, c) for a, c in n.layer_seconds.items()]
    yield "hfea_layer_seconds", "gauge", "Spent in it over the newest 500 questions.", seconds


def _costs(n: Numbers) -> Iterator[Family]:
    tokens: Samples = [({"what": w, "way": way}, c) for (w, way), c in n.tokens.items()]
    yield "hfea_model_tokens_total", "counter", "Tokens sent to and had from models.", tokens
    money: Samples = [({"what": w}, c) for w, c in n.money.items()]
    yield "hfea_model_cost_total", "counter", "Money at the configured prices.", money
    events: Samples = [({"event": k}, v) for k, v in n.promotions.items()]
    yield "hfea_promotions_total", "counter", "Events of proposals.", events


def _requests(traffic: Traffic) -> Iterator[str]:
    yield from _family(
        "hfea_http_requests_total",
        "counter",
        "Requests by route and status.",
        [({"route": r, "status": str(s)}, c) for r, s, c in traffic.requests()],
    )
    name = "hfea_http_request_duration_seconds"
    yield f"# HELP {name} Seconds a request took."
    yield f"# TYPE {name} histogram"
    for route, steps, total, count in traffic.durations():
        for bound, within in steps:
            yield _line(f"{name}_bucket", {"route": route, "le": f"{bound:g}"}, within)
        yield _line(f"{name}_bucket", {"route": route, "le": "+Inf"}, count)
        yield _line(f"{name}_sum", {"route": route}, total)
        yield _line(f"{name}_count", {"route": route}, count)


def _family(name: str, kind: str, told: str, samples: Samples) -> Iterator[str]:
    if not samples:
        return
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"
    for labels, value in sorted(samples, key=lambda s: sorted(s[0].items())):
        yield _line(name, labels, value)


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    told = ",".join(f'{k}="{_escaped(v)}"' for k, v in labels.items())
    return f"{name}{{{told}}} {value:g}" if told else f"{name} {value:.17g}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
