from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
UNITS = sorted(SYSTEMD.glob("*.service"))


@pytest.mark.parametrize("unit", UNITS, ids=lambda p: p.name)
def test_the_shipped_units_pass_systemd_analyze_verify(unit: Path, tmp_path: Path) -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("needs systemd-analyze (Debian package systemd)")
    # The programme and the account of the unit need not exist on this machine.
    text = unit.read_text(encoding="utf-8").replace("User=hfea", "User=root")
    for place in ("/opt/hfea/bin/hfea", "%h/.local/bin/hfea"):
        text = text.replace(place, "/bin/true")
    copy = tmp_path / unit.name
    copy.write_text(text, encoding="utf-8")
    words = [tool, "verify", *(["--user"] if "user" in unit.name else []), str(copy)]
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize("unit", UNITS, ids=lambda p: p.name)
def test_every_setting_of_a_unit_has_a_plain_comment_above_it(unit: Path) -> None:
    lines = unit.read_text(encoding="utf-8").splitlines()
    bare = [
        line
        for before, line in itertools.pairwise(lines)
        if "=" in line
        and not line.startswith("#")
        and not before.startswith("#")
        and not before.startswith(line.partition("=")[0])
    ]
    allowed = {"After", "StartLimitBurst"}
    assert [line for line in bare if line.partition("=")[0] not in allowed] == []


def test_the_system_unit_is_hardened_and_watched() -> None:
    text = (SYSTEMD / "hfea.service").read_text(encoding="utf-8")
    for line in (
        "Type=notify",
        "WatchdogSec=120",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=read-only",
        "IPAddressDeny=any",
        "UMask=0077",
    ):
        assert f"\n{line}\n" in text
