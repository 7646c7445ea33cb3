from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from markupsafe import Markup
from service_world import Live

from hfea.archive.html import to_html
from hfea.service.web import marked, rate_rows
from hfea.service.web_words import EN, PT, choose, names

TAGS = frozenset(
    "html head meta title style body header h1 nav a form button main ul ol li p article h2 h3 h4 h5"
    " h6 em strong code pre blockquote table thead tbody tr th td section sup hr br input label mark"
    " s del sub abbr".split()
)
ATTRIBUTES = frozenset(
    "lang charset name content href hreflang method action id class rel scope type value for role"
    " autocomplete required size maxlength align".split()
)


class Looker(HTMLParser):
    """Collects the elements, attributes and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]


def safe(text: str) -> Looker:
    found = Looker()
    found.feed(text)
    assert found.tags <= TAGS, found.tags - TAGS
    assert found.attributes <= ATTRIBUTES, found.attributes - ATTRIBUTES
    for link in found.links:
        assert urlsplit(link.strip()).scheme in ("", "http", "https", "mailto"), link
    return found


def test_the_pages_show_days_one_day_search_and_rates(as_owner: httpx.Client) -> None:
    days = as_owner.get("/").text
    assert "/day/2026-03-05" in days
    assert days.index("2026-03-06") < days.index("2026-03-05")
    assert "cofre azul" in as_owner.get("/day/2026-03-05").text
    found = as_owner.get("/search", params={"q": "cofre"}).text
    assert "<mark>cofre</mark>" in found
    assert "perguntas feitas" in as_owner.get("/rates").text
    for page in ("/", "/day/2026-03-05", "/search?q=cofre", "/rates", "/day/nope", "/search?q="):
        safe(as_owner.get(page).text)


def test_every_page_has_a_strict_policy_and_its_own_style_only(as_owner: httpx.Client) -> None:
    for page in ("/", "/day/2026-03-05", "/day/nope", "/search?q=x"):
        answer = as_owner.get(page)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "script-src" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "<script" not in answer.text
        assert "src=" not in answer.text


def test_pages_speak_portuguese_and_english(as_owner: httpx.Client) -> None:
    assert 'lang="pt-BR"' in as_owner.get("/").text
    english = as_owner.get("/", headers={"Accept-Language": "de;q=0.9, en-GB;q=0.8, pt;q=0.1"})
    assert 'lang="en"' in english.text
    assert 'lang="en"' in as_owner.get("/?lang=en").text
    assert choose("", "x;q=nonsense, pt") is PT
    assert choose("xx", "") is PT
    assert choose("EN-us", "pt") is EN
    for words in (PT, EN):
        assert all(getattr(words, name) for name in names())


def test_a_browser_signs_in_with_the_maintainers_token_and_out_again(live: Live) -> None:
    with live.client() as browser:
        first = browser.get("/")
        assert first.status_code == 401
        assert 'type="password"' in first.text
        assert browser.post("/login", data={"token": live.agent}).status_code == 401
        assert browser.post("/login", data={"token": "x"}).status_code == 401
        entered = browser.post("/login", data={"token": live.maintainer})
        assert entered.status_code == 303
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert live.maintainer not in cookie
        assert browser.get("/").status_code == 200
        assert browser.get("/day/2026-03-05").status_code == 200
        # The session is for pages: no other site can make a browser call the API with it.
        assert browser.get("/v1/episodes").status_code == 401
        assert browser.post("/v1/ask", json={"question": "x?"}).status_code == 401
        assert browser.post("/logout").status_code == 303
        assert browser.get("/").status_code == 401


def test_an_agents_token_opens_no_page(as_agent: httpx.Client) -> None:
    for page in ("/", "/day/2026-03-05", "/search?q=cofre", "/rates"):
        answer = as_agent.get(page)
        assert answer.status_code == 403
        assert "cofre azul" not in answer.text


def test_a_form_from_another_site_is_refused(live: Live) -> None:
    with live.client() as browser:
        for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = browser.post("/login", data={"token": live.maintainer}, headers=headers)
            assert answer.status_code == 403


def test_x14_no_script_of_an_episode_survives_in_any_page(own: Live, shared: Path) -> None:
    hostile = (shared / "cases/files/X14/episode.md").read_text("utf-8")
    page = to_html(hostile)
    found = Looker()
    found.feed(page)
    assert not found.tags & {"script", "img", "iframe", "svg", "style", "object"}
    assert not any(name.startswith("on") for name in found.attributes)
    assert "&lt;script&gt;" in page
    assert "alert(1)" in page
    day = own.settings.archive.path / "2026" / "03" / "2026-03-05.md"
    day.chmod(0o600)
    day.write_text(hostile, "utf-8")
    with own.client(own.maintainer) as owner:
        shown = owner.get("/day/2026-03-05")
        assert shown.status_code == 200
        assert "alert(1)" in shown.text
        safe(shown.text)
        query = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
        for answer in (
            owner.get("/search", params={"q": query}),
            owner.get("/day/" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E"),
        ):
            assert "<script" not in answer.text
            safe(answer.text)


def test_x08_a_link_is_no_episode(own: Live, tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere.md"
    secret.write_text("what is not ours", "utf-8")
    month = own.settings.archive.path / "2026" / "03"
    day = month / "2026-03-05.md"
    day.unlink()
    day.symlink_to(secret)
    other = tmp_path / "month"
    other.mkdir()
    (other / "2026-04-01.md").write_text("what is not ours", "utf-8")
    (own.settings.archive.path / "2026" / "04").symlink_to(other)
    with own.client(own.maintainer) as owner:
        for place in ("/day/2026-03-05", "/v1/episodes/2026-03-05", "/day/2026-04-01"):
            answer = owner.get(place)
            assert answer.status_code == 404
            assert "not ours" not in answer.text


@pytest.mark.parametrize("text", ["<b>cofre</b> & co", "cofre<cofre>", "a 'cofre\" b"])
def test_marks_cross_no_tag_and_nothing_else_is_markup(text: str) -> None:
    found = marked(text, "cofre <script>")
    assert isinstance(found, Markup)
    bare = re.sub(r"</?mark>", "", str(found))
    assert "<" not in bare
    assert Markup(bare).unescape() == text


def test_the_page_of_rates_shows_each_with_its_denominator_and_interval(own: Live) -> None:
    with own.client(own.maintainer) as owner:
        number = owner.post("/v1/ask", json={"question": "Qual cofre decidimos usar?"}).json()
        place = f"/v1/questions/{number['question_id']}/feedback"
        assert owner.post(place, json={"value": "needed"}).status_code == 201
        page = owner.get("/rates?lang=en").text
    safe(page)
    assert "1 questions asked" in page
    assert "<code>archive_call</code>" in page
    assert "1 of 1" in page
    assert "feedback" in page


def test_rates_of_each_origin_and_group_stay_apart() -> None:
    rate = {"value": 0.5, "k": 1, "n": 2, "low": 0.1, "high": 0.9}
    part = {"all": {"archive_call": rate}, "feedback": {}, "shadow": {"missed_trigger": rate}}
    found = rate_rows({**part, "asked": 2, "by_language": {"pt": part}, "by_reason": {}})
    assert [(where, name) for where, name, _ in found] == [
        ("all", "archive_call"),
        ("shadow", "missed_trigger"),
        ("all · pt", "archive_call"),
        ("shadow · pt", "missed_trigger"),
    ]
