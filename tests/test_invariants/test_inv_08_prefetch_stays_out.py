from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from service_world import sealed_house

WATCHED = """
import json, sys
opened = []
def hook(event, args):
    if event in ("open", "sqlite3.connect") and args and isinstance(args[0], (str, bytes)):
        opened.append(args[0] if isinstance(args[0], str) else args[0].decode())
sys.addaudithook(hook)
from pathlib import Path
from hfea.config import load
from hfea.service.doors import Asked
from hfea.service.house import House
settings = load(Path(sys.argv[1]))
house = House(settings)
said = []
for text in json.loads(sys.argv[2]):
    said += [house.prefetch(text, 2000), house.recall(Asked(text))]
house.rates(); house.gauges()
house.close()
root = str(settings.archive.path)
inside = sorted({p for p in opened if root in p})
print(json.dumps({"inside": inside, "said": said}, ensure_ascii=False))
"""


def test_inv_08_prefetch_and_recall_open_nothing_of_the_archive_but_the_ledger(
    tmp_path: Path,
) -> None:
    settings = sealed_house(tmp_path)
    questions = [
        "Qual cofre decidimos usar para as fotos?",
        "O que foi em 2026-03-05?",
        "Carro da Ana?",
    ]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(settings.file), json.dumps(questions)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    names = {Path(p.partition("?")[0]).name for p in found["inside"]}
    assert {n for n in names if not n.startswith("ledger.sqlite")} == set()
    assert "cofre azul" not in json.dumps(found["said"], ensure_ascii=False)
    assert "Corsa" in json.dumps(found["said"], ensure_ascii=False)
