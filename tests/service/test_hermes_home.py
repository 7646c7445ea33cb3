from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from service_world import write_house

from hfea.cli import main
from hfea.clock import SystemClock
from hfea.config import Settings, load
from hfea.errors import UsageError
from hfea.service import hermes, hermes_verify
from hfea.service.hermes_plugin import change_of, guarded, words_of
from hfea.service.hermes_plugin.link import Link
from hfea.service.tokens import Scope, Tokens

CONFIG = """\
# Ana's Hermes; do not lose this line
timezone: America/Sao_Paulo   # where she lives
memory:
  memory_enabled: true
  provider: "holographic"     # quotes are hers
  write_approval: false

mcp_servers:
  # the house's lamps
  lamps:
    command: lamps
    args: [--quiet, 'a b']
plugins:
  enabled:
    - lights   # on
  disabled: [hfea]
long: "uma linha muito comprida que não pode ser quebrada em duas só porque passa de oitenta colunas de largura"
"""


@pytest.fixture
def house(tmp_path: Path) -> Settings:
    file = write_house(tmp_path)
    file.write_text(file.read_text("utf-8").replace(":0", ":18765"), "utf-8")
    (tmp_path / "home" / "config.yaml").write_text(CONFIG, "utf-8")
    return load(file)


def put_in(house: Settings, **wanted: bool) -> Path:
    hermes.install(house, house.core.home, hermes.Wanted(**wanted), SystemClock())
    return house.core.home


def states(house: Settings) -> dict[str, str]:
    return {m.name: m.state.value for m in hermes_verify.verify(house, house.core.home)}


def test_installing_keeps_every_comment_key_and_quote(house: Settings) -> None:
    home = put_in(house)
    after = (home / "config.yaml").read_text("utf-8")
    for line in CONFIG.splitlines():
        if "disabled" not in line:
            assert line in after
    table = yaml.safe_load(after)
    assert table["mcp_servers"]["hfea"]["args"][-1] == "mcp"
    assert table["plugins"]["enabled"] == ["lights", "hfea"]
    assert table["plugins"]["disabled"] == []
    assert table["memory"]["provider"] == "holographic"
    assert table["memory"]["write_approval"] is False


def test_installing_twice_changes_nothing_more_and_keeps_the_token(house: Settings) -> None:
    home = put_in(house)
    before = {p: p.read_bytes() for p in home.rglob("*") if p.is_file()}
    put_in(house)
    assert {p: p.read_bytes() for p in home.rglob("*") if p.is_file()} == before
    tokens = Tokens(house.file.parent / "hfea-state" / "tokens.json").all()
    assert [t.scope for t in tokens] == [Scope.AGENT]


def test_uninstalling_leaves_the_home_byte_for_byte(house: Settings) -> None:
    home = house.core.home
    before = {p: p.read_bytes() for p in home.rglob("*") if p.is_file()}
    put_in(house, provider=True, guard=True, write_approval=True)
    hermes.uninstall(house, home, SystemClock())
    assert {p: p.read_bytes() for p in home.rglob("*") if p.is_file()} == before
    tokens = Tokens(house.file.parent / "hfea-state" / "tokens.json").all()
    assert [t.live for t in tokens] == [False]


def test_what_was_changed_meanwhile_stays_when_ours_goes(house: Settings) -> None:
    home = put_in(house, provider=True, write_approval=True)
    path = home / "config.yaml"
    path.write_text(path.read_text("utf-8") + "added: later  # by Ana\n", "utf-8")
    hermes.uninstall(house, home, SystemClock())
    text = path.read_text("utf-8")
    assert "added: later  # by Ana" in text
    assert "# the house's lamps" in text
    table = yaml.safe_load(text)
    assert "hfea" not in table["mcp_servers"]
    assert table["plugins"]["enabled"] == ["lights"]
    assert table["memory"]["provider"] == "holographic"
    assert table["memory"]["write_approval"] is False
    assert "write_approval" not in table.get("skills", {})


def test_the_shared_hermes_home_is_installed_into_and_left_as_it_was(
    house: Settings, shared: Path, tmp_path: Path
) -> None:
    home = tmp_path / "copy"
    shutil.copytree(shared / "data" / "hermes-home", home)
    for path in [home, *home.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    before = (home / "config.yaml").read_bytes()
    hermes.install(house, home, hermes.Wanted(provider=True), SystemClock())
    table = yaml.safe_load((home / "config.yaml").read_text("utf-8"))
    assert table["memory"]["provider"] == "hfea-memory"
    assert table["plugins"]["hermes-memory-store"]["hrr_dim"] == 1024
    assert table["mcp_servers"]["hfea"]["timeout"] == 60
    hermes.uninstall(house, home, SystemClock())
    assert (home / "config.yaml").read_bytes() == before


@pytest.mark.parametrize(
    "text", ["a: [1\n", "- a\n- b\n", "a: 1\na: 2\n", "mcp_servers: [x]\n", "plugins: 7\n", "x"]
)
def test_a_configuration_that_cannot_be_kept_whole_is_refused_and_left(
    house: Settings, text: str
) -> None:
    path = house.core.home / "config.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError):
        put_in(house)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("text", [None, "", "# only a comment\n", "\n\n"])
def test_a_home_without_a_configuration_gets_one(house: Settings, text: str | None) -> None:
    path = house.core.home / "config.yaml"
    path.unlink()
    if text is not None:
        path.write_text(text, "utf-8")
    put_in(house)
    found = path.read_text("utf-8")
    assert yaml.safe_load(found)["plugins"]["enabled"] == ["hfea"]
    assert "# only" not in (text or "") or "# only a comment" in found


words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(table=st.dictionaries(words, values, max_size=6))
def test_whatever_else_a_configuration_holds_is_the_same_afterwards(
    house: Settings, table: dict[str, Any]
) -> None:
    table = {
        k: v for k, v in table.items() if k not in ("mcp_servers", "plugins", "memory", "skills")
    }
    path = house.core.home / "config.yaml"
    path.write_text(yaml.safe_dump(table, allow_unicode=True), "utf-8")
    before = yaml.safe_load(path.read_text("utf-8"))
    put_in(house)
    after = yaml.safe_load(path.read_text("utf-8"))
    assert {k: v for k, v in after.items() if k not in ("mcp_servers", "plugins")} == (before or {})
    hermes.uninstall(house, house.core.home, SystemClock())
    assert yaml.safe_load(path.read_text("utf-8")) == before


def test_verify_is_loud_about_each_thing_that_is_gone(house: Settings) -> None:
    assert set(states(house).values()) == {"missing"}
    home = put_in(house, provider=True, write_approval=True)
    fired = home / "plugins" / "hfea" / "fired.json"
    assert states(house)["hook_fired"] == "missing"
    fired.write_text(json.dumps({"version": "0.19.0", "hooks": {"pre_llm_call": "2026-03-07"}}))
    found = hermes_verify.verify(house, home)
    assert hermes_verify.missing(found) == []
    hermes_verify.renew(home, found)
    config = home / "config.yaml"
    whole = config.read_text("utf-8")

    def without(name: str, old: str, new: str) -> None:
        assert old in whole
        config.write_text(whole.replace(old, new), "utf-8")
        gone = [m.name for m in hermes_verify.missing(hermes_verify.verify(house, home))]
        assert gone == [name]
        config.write_text(whole, "utf-8")

    without("config_entry", "    enabled: true", "    enabled: false")
    without("plugin_enabled", "- hfea\n  disabled", "- other\n  disabled")
    without("provider_slot", "hfea-memory", "honcho")
    without("write_approval", "write_approval: true", "write_approval: false")
    plugin = home / "plugins" / "hfea" / "link.py"
    body = plugin.read_bytes()
    plugin.write_bytes(body + b"\n")
    assert states(house)["plugin_hash:hfea"] == "missing"
    plugin.write_bytes(body)
    fired.write_text(json.dumps({"version": "0.21.0", "hooks": {"pre_llm_call": "2026-03-08"}}))
    assert states(house)["hermes_version"] == "missing"
    (home / "plugins" / "hfea" / "token").write_text("x")
    assert states(house)["token"] == "missing"


def test_a_hook_that_ran_once_and_is_silent_while_hermes_answers_is_missing(
    house: Settings, shared: Path
) -> None:
    home = put_in(house)
    shutil.copyfile(shared / "data/hermes-home/state.db", home / "state.db")
    fired = home / "plugins" / "hfea" / "fired.json"
    before = sorted(p.name for p in home.iterdir())
    for at, wanted in (
        ("2026-10-14T23:59:00+00:00", "ok"),
        ("2026-10-12T00:00:00+00:00", "missing"),
    ):
        fired.write_text(json.dumps({"version": "1", "hooks": {"pre_llm_call": at}}))
        assert states(house)["hook_fired"] == wanted
    assert sorted(p.name for p in home.iterdir()) == before


def test_a_running_service_logs_what_is_missing_at_its_start_and_after_an_update(
    house: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    home = put_in(house)
    now = [0.0]
    watch = hermes_verify.Watch(house, lambda: now[0])
    watch.look()
    assert ["hook_fired" in r.getMessage() for r in caplog.records] == [True]
    now[0] += 60
    watch.look()
    assert len(caplog.records) == 1
    fired = home / "plugins" / "hfea" / "fired.json"
    fired.write_text(json.dumps({"version": "9", "hooks": {"pre_llm_call": "2026-03-07"}}))
    (home / "plugins" / "hfea" / "link.py").write_text("")
    now[0] += 60
    watch.look()
    assert "plugin_hash:hfea" in caplog.records[-1].getMessage()
    assert caplog.records[-1].levelname == "ERROR"


def test_the_command_line_installs_verifies_and_takes_back(
    house: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["--config", str(house.file), "hermes"]
    assert main([*line, "verify"]) == 1
    assert main([*line, "install", "--guard"]) == 0
    assert "restart Hermes" in capsys.readouterr().out
    assert main([*line, "status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wanted"]["guard"] is True
    assert main([*line, "verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["missing"] == 1
    assert main([*line, "uninstall"]) == 0
    assert main([*line, "install", "--home", str(house.file)]) == 2


def test_no_secret_of_the_installation_is_readable_by_others(house: Settings) -> None:
    home = put_in(house, provider=True)
    for name in ("hfea", "hfea-memory"):
        for file in ("token", "link.json"):
            assert (home / "plugins" / name / file).stat().st_mode & 0o077 == 0
    assert "hfea_" not in (home / "config.yaml").read_text("utf-8")


def test_the_guard_turns_memory_writes_into_proposals_and_lets_the_rest_pass() -> None:
    class Gate(Link):
        def __init__(self) -> None:
            self.sent: list[dict[str, Any]] = []

        def propose(self, change: dict[str, Any]) -> dict[str, Any]:
            self.sent.append(change)
            return {"id": f"p{len(self.sent)}"}

    gate = Gate()
    assert guarded(gate, "web_search", {"query": "x"}) is None
    steps = [
        {"action": "add", "content": "a"},
        {"action": "replace", "old_text": "b", "content": "c"},
    ]
    found = guarded(gate, "memory", {"target": "user", "operations": steps})
    assert found
    assert found["action"] == "block"
    assert "p1, p2" in found["message"]
    assert [s["target"] for s in gate.sent] == ["user", "user"]
    assert (guarded(gate, "skill_manage", {}) or {})["action"] == "approve"
    assert change_of("nonsense", {}) == {
        "act": "add",
        "target": "memory",
        "text": "",
        "old_text": "",
    }
    assert words_of(None) == ""
