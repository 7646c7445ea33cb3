"""Invariant 12: no secret leaves the source; placeholders are keyed and stable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memory_core.secrets import Redactor

REDACTOR = Redactor(b"key")


def test_inv_12_x05_every_fake_secret_is_replaced(shared: Path):
    script = shared / "cases/files/X05/make_secrets.py"
    made = subprocess.run(
        [sys.executable, str(script), "--list"], capture_output=True, text=True, check=True
    )
    left = "\n".join(
        REDACTOR.redact(json.loads(x)["content"]).text for x in made.stdout.splitlines()
    )
    assert [s for s in json.loads(made.stderr) if s in left] == []
    assert left.count("a senha do roteador é [secret:spoken_password:") == 2


def test_inv_12_placeholders_are_keyed_and_stable():
    text = "my password is " + "Fake-" + "42x"
    assert REDACTOR.redact(text).text == REDACTOR.redact(text).text
    assert REDACTOR.redact(text).text != Redactor(b"other").redact(text).text


PIECES = st.sampled_from(
    [
        "password=",
        "senha: ",
        "token",
        "Fa" + "ke42!x",
        " ",
        "\n",
        "sk-",
        "A" * 24,
        "[secret:pin:00000000]",
        "://u:",
        "@h",
        '"',
        "\\",
        "é ",
        "Cookie: a=",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_inv_12_redacting_again_changes_nothing(text: str):
    once = REDACTOR.redact(text)
    assert REDACTOR.redact(once.text).text == once.text
    assert once.moved(len(text), end=True) == len(once.text)
