"""Each kind: its example is replaced, and leaks once its rule is removed; a near miss stays."""

from __future__ import annotations

import pytest

from memory_core.secrets import RULES, Redactor

H, W, N = "0a1b2c3d4e5f6789" * 8, "Fa1kE2xY3z" * 12, "1234567890" * 2
# kind: (text, the secret in it, near miss); parts are joined here so that no token is stored
CASES = {
    "aws_access_key": ("AK" + "IA" + "FAKE" * 4, None, "AKIA short"),
    "google_api_key": ("AI" + "za" + W[:35], None, "AIzawa"),
    "azure_client_secret": ("abc" + "8Q~" + W[:34], None, "8Q~"),
    "digitalocean_token": ("dop_" + "v1_" + H[:64], None, "dop_v1_x"),
    "vault_token": ("hv" + "s." + W[:24], None, "hvs.x"),
    "slack_token": ("xo" + "xb-" + "1" * 12 + "-" + W[:12], None, "xoxb"),
    "slack_webhook": (
        "hooks.slack" + ".com/services/T0/B0/" + W[:24],
        W[:24],
        "hooks.slack.com/services",
    ),
    "telegram_bot_token": ("12345678:" + "AA" + W[:33], None, "10:30"),
    "github_token": ("gh" + "p_" + W[:36], None, "ghp_x"),
    "github_fine_grained": ("github_" + "pat_" + W[:40], None, "github_pat_"),
    "gitlab_token": ("gl" + "pat-" + W[:20], None, "glpat-"),
    "npm_token": ("np" + "m_" + W[:36], None, "npm_config"),
    "pypi_token": ("py" + "pi-" + W[:60], None, "pypi-server"),
    "docker_token": ("dckr_" + "pat_" + W[:27], None, "dckr_pat_"),
    "stripe_key": ("sk_" + "live_" + W[:24], None, "sk_live_"),
    "mercado_pago_token": ("APP_" + "USR-" + N[:16] + "-010203-" + H[:32], None, "APP_USR-1"),
    "shopify_token": ("shp" + "at_" + H[:32], None, "shpat_"),
    "anthropic_key": ("sk-" + "ant-" + W[:30], None, "sk-ant-"),
    "openrouter_key": ("sk-" + "or-v1-" + H[:40], None, "sk-or-"),
    "openai_key": ("sk-" + "proj-" + W[:30], None, "sk-pro...cdef"),
    "groq_key": ("gs" + "k_" + W[:40], None, "gsk_"),
    "huggingface_token": ("h" + "f_" + W[:34], None, "hf_hub"),
    "sendgrid_key": ("S" + "G." + W[:22] + "." + W[:43], None, "SG.x"),
    "mailgun_key": ("ke" + "y-" + H[:32], None, "key-value"),
    "linear_key": ("lin_" + "api_" + W[:40], None, "lin_api_"),
    "figma_token": ("fig" + "d_" + W[:40], None, "figd_"),
    "notion_token": ("nt" + "n_" + W[:46], None, "ntn_"),
    "age_key": ("AGE-SECRET-" + "KEY-1" + "QPZR" * 12, None, "AGE-SECRET-KEY"),
    "bearer": ("curl: bearer " + W[:24], W[:24], "bearer of bad news today"),
    "connection_string": ("redis://u:" + "p4" + "ssx@h/0", "p4" + "ssx", "http://host:8080/a"),
    "env_secret": ("DB_PASS" + "WORD=" + "hunterx", "hunterx", "MAX_TOKENS=4096"),
    "json_secret": ('{"pass' + 'word": "corr ect"}', "corr ect", '{"password": null}'),
    "cli_flag": ("run --pass" + "word Hx92kk", "Hx92kk", "run --password"),
    "pin": ("o PIN do cartão é 4821", "4821", "o PIN tem 4 dígitos"),
    "spoken_password": ("a senha do portão é Fake-" + "42", "Fake-" + "42", "a senha é a mesma"),
    "spoken_plain_password": ("my password is hunter", "hunter", "my password is wrong"),
    "wifi_qr": ("WI" + "FI:S:casa;T:WPA;P:abcabc;;", "abcabc", "WIFI: ok"),
    "cookie": ("Cook" + "ie: sid=" + W[:16], W[:16], "Cookie: recipe"),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_secret_is_replaced_and_leaks_without_its_rule(kind: str):
    text, secret, near = CASES[kind]
    secret = secret or text
    assert secret not in Redactor(b"k").redact(text).text
    without = Redactor(b"k", rules=[r for r in RULES if r.kind != kind])
    assert secret in without.redact(text).text
    assert Redactor(b"k").redact(near).found == ()
