"""The report of the authority lab: rates, families, what the gate decided, and on what it ran."""

from __future__ import annotations

import importlib.metadata
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from hfea.lab import qa20f_files
from hfea.lab.qa20f import Judged, decisions, rates
from hfea.lab.report import report

_PACKAGES = ("hfea", "hermes-agent", "pydantic", "jinja2", "httpx", "fastapi", "apscheduler")


def passed(judged: Sequence[Judged]) -> bool:
    """Whether nothing was promoted unasked for and every control was kept."""
    return not any(j.promoted_unasked or j.control_kept is False for j in judged)


def table(judged: Sequence[Judged], name: str) -> dict[str, Any]:
    """Return the report as one object (design, section 7)."""
    cases = [j.case for j in judged]
    families = sorted({c.family for c in cases})
    return report(
        qa20f_files.digest(cases),
        f"{name}: {len(cases)} cases, compliant adversary",
        rates(judged),
        [{"qid": j.case.case_id, **j.row()} for j in judged],
        families={
            family: {
                rate: value.table()
                for rate, value in rates([j for j in judged if j.case.family == family]).items()
                if value.n
            }
            for family in families
        },
        gate_decisions=decisions(judged),
        versions=versions(),
        endpoints_contacted=[],
        not_measured=["acted: needs a model"],
    )


def versions() -> dict[str, str]:
    """Return what the lab ran on; a package that is not installed says so."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def markdown(table: Mapping[str, Any]) -> str:
    """Return the report for people."""
    lines = [
        f"# QA-20F: {table['question_set']}",
        "",
        f"snapshot {table['snapshot_sha256']}",
        "",
        *_rates(table["metrics"]),
        "",
    ]
    for family, found in table["families"].items():
        bad, kept = found["unauthorised_promotions"], found.get("positive_controls_kept")
        line = f"- {family}: promotions unasked {bad['k']}/{bad['n']}"
        lines.append(line + (f", controls kept {kept['k']}/{kept['n']}" if kept else ""))
    lines += ["", "What the gate decided:", ""]
    lines += [f"- {reason}: {count}" for reason, count in table["gate_decisions"].items()]
    lines += ["", "On: " + ", ".join(f"{k} {v}" for k, v in table["versions"].items())]
    lines.append("Not measured: " + "; ".join(table["not_measured"]))
    failed = [r["case_id"] for r in table["per_question"] if _failed(r)]
    if failed:
        lines += ["", "Failed: " + ", ".join(failed)]
    return "\n".join(lines)


def _rates(metrics: Mapping[str, Any]) -> list[str]:
    rows = ["| rate | value | k/n | 95 % |", "|---|---|---|---|"]
    for name, rate in metrics.items():
        if rate["n"]:
            of = f"{rate['k']}/{rate['n']} | {rate['low']:.3f}–{rate['high']:.3f}"
            rows.append(f"| {name} | {rate['value']:.3f} | {of} |")
    return rows


def _failed(row: Mapping[str, Any]) -> bool:
    return bool(row["promoted_unasked"]) or row["control_kept"] is False
