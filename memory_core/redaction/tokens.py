"""Secrets known by their own shape: what providers' documents say their keys look like."""

from __future__ import annotations

import base64
import binascii

from memory_core.redaction.rule import Rule, shaped, token

_HEX = "[0-9a-fA-F]"
_B64 = "[A-Za-z0-9+/]"
_URL64 = "[A-Za-z0-9_-]"
_WORD = "[A-Za-z0-9]"


def _jwt(text: str) -> bool:
    head = text.split(".", 1)[0]
    try:
        decoded = base64.urlsafe_b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return False
    return decoded.startswith((b'{"', b"{\n", b"{ "))


def _mixed(text: str) -> bool:
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


CLOUD = (
    token("aws_access_key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}", "akia asia abia acca"),
    shaped(
        "aws_secret_key",
        rf"(?:AKIA|ASIA)[A-Z0-9]{{16}}[\s,:;|\"']{{1,8}}({_B64}{{40}})",
        "akia asia",
    ),
    token("google_api_key", rf"AIza{_URL64}{{30,}}", "aiza"),
    token("google_oauth", rf"ya29\.{_URL64}{{20,}}|GOCSPX-{_URL64}{{20,}}", "ya29. gocspx-"),
    token("azure_sas", r"sig=([A-Za-z0-9%/+_-]{30,}=?=?)", "sig="),
    token("azure_storage_key", rf"(?i:AccountKey|SharedAccessKey)=({_B64}{{30,}}=?=?)", "key="),
    token("azure_client_secret", rf"{_URL64}{{3}}8Q~{_URL64}{{31,}}", "8q~"),
    token("digitalocean_token", rf"do[opr]_v1_{_HEX}{{40,}}", "dop_v1_ doo_v1_ dor_v1_"),
    token("heroku_key", rf"HRKU-{_URL64}{{30,}}", "hrku-"),
    token("vercel_token", rf"vc[pikar]_{_URL64}{{20,}}", "vcp_ vci_ vck_ vca_ vcr_"),
    token("fly_token", rf"(?:fm2_|fo1_|FlyV1 fm2_){_B64}{{20,}}={{0,2}}", "fm2_ fo1_"),
    token(
        "cloudflare_token",
        rf"(?:v1\.0-{_HEX}{{24}}-{_HEX}{{100,}}|cf[uak]t_{_URL64}{{30,}})",
        "v1.0- cfut_ cfat_ cfkt_",
    ),
    token("vault_token", rf"hv[sbr]\.{_URL64}{{20,}}", "hvs. hvb. hvr."),
    token("terraform_token", rf"{_WORD}{{14}}\.atlasv1\.{_URL64}{{40,}}", ".atlasv1."),
    token("pulumi_token", rf"pul-{_HEX}{{40}}", "pul-"),
    token(
        "supabase_key", rf"sb(?:p|_secret|_publishable)_{_URL64}{{20,}}", "sbp_ sb_secret sb_pub"
    ),
    token("databricks_token", r"dapi[0-9a-f]{32}(?:-\d)?", "dapi"),
    token("planetscale_token", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}", "pscale_"),
    token("alibaba_key", rf"LTAI{_WORD}{{16,}}", "ltai", _mixed),
)
CHAT = (
    token(
        "slack_token",
        r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}",
        "xox xapp-",
    ),
    token(
        "slack_webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})",
        "hooks.slack.com",
    ),
    token("discord_token", rf"[MNO][A-Za-z\d_-]{{23,27}}\.{_URL64}{{6}}\.{_URL64}{{27,}}", "."),
    token(
        "discord_webhook",
        rf"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{{10,}}/{_URL64}{{20,}})",
        "/webhooks/",
    ),
    token("telegram_bot_token", rf"(?:bot)?\d{{8,10}}:AA{_URL64}{{30,}}", ":aa"),
    token(
        "teams_webhook",
        r"[\w-]{1,60}\.webhook\.office\.com/(webhookb2/[\w@/-]{30,})",
        ".webhook.office.com",
    ),
)
FORGES = (
    token("github_token", r"gh[pousr]_[A-Za-z0-9]{16,}", "ghp_ gho_ ghu_ ghs_ ghr_"),
    token("github_fine_grained", r"github_pat_[A-Za-z0-9_]{20,}", "github_pat_"),
    token(
        "gitlab_token",
        rf"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-{_URL64}{{18,}}[.\w]*",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct-",
    ),
    token("bitbucket_token", r"AT(?:BB|CTT3)[A-Za-z0-9_=+-]{24,}", "atbb atctt3"),
    token("atlassian_token", r"ATATT3[A-Za-z0-9_=+-]{30,}", "atatt3"),
    token("npm_token", rf"npm_{_WORD}{{30,}}", "npm_"),
    token("pypi_token", rf"pypi-{_URL64}{{50,}}", "pypi-"),
    token("docker_token", rf"dckr_(?:pat|oat)_{_URL64}{{20,}}", "dckr_"),
    token("rubygems_token", rf"rubygems_{_HEX}{{40,}}", "rubygems_"),
    token("crates_token", rf"cio{_WORD}{{32}}", "cio", _mixed),
)
MONEY = (
    token(
        "stripe_key",
        r"(?:[sr]k|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,}",
        "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
    ),
    token(
        "mercado_pago_token",
        r"(?:APP_USR|TEST)-\d{10,}-\d{6}-[0-9a-f]{32}(?:-\d+)?",
        "app_usr- test-",
    ),
    token(
        "paypal_token",
        rf"access_token\$(?:production|sandbox)\$[0-9a-z]{{16}}\${_HEX}{{32}}",
        "access_token$",
    ),
    token(
        "square_token", rf"(?:EAAA{_URL64}{{50,}}|sq0(?:atp|csp|idp)-{_URL64}{{20,}})", "eaaa sq0"
    ),
    token("asaas_key", r"\$aact_(?:prod_|hmlg_)?[A-Za-z0-9:=+/_-]{30,}", "$aact_"),
    token(
        "pagarme_key",
        rf"(?:ak|ek)_(?:live|test)_{_WORD}{{20,}}",
        "ak_live_ ak_test_ ek_live_ ek_test_",
    ),
    token("shopify_token", rf"shp(?:at|ca|pa|ss)_{_HEX}{{32,}}", "shpat_ shpca_ shppa_ shpss_"),
)
MODELS = (
    token("anthropic_key", rf"sk-ant-{_URL64}{{16,}}", "sk-ant-"),
    token("openrouter_key", rf"sk-or-{_URL64}{{20,}}", "sk-or-"),
    token("openai_key", rf"(?:sk-(?!ant-|or-|lf-)|sess-){_URL64}{{20,}}", "sk- sess-"),
    token("langfuse_key", rf"sk-lf-{_HEX}[\w-]{{20,}}", "sk-lf-"),
    token("groq_key", rf"gsk_{_WORD}{{20,}}", "gsk_"),
    token("huggingface_token", rf"(?:hf|api_org)_{_WORD}{{20,}}", "hf_ api_org_"),
    token("replicate_token", rf"r8_{_WORD}{{30,}}", "r8_"),
    token("xai_key", rf"xai-{_WORD}{{30,}}", "xai-"),
    token("perplexity_key", rf"pplx-{_WORD}{{30,}}", "pplx-"),
    token("nvidia_key", rf"nvapi-{_URL64}{{30,}}", "nvapi-"),
    token("tavily_key", rf"tvly-{_URL64}{{20,}}", "tvly-"),
)
SERVICES = (
    token("sendgrid_key", rf"SG\.{_URL64}{{16,}}\.{_URL64}{{16,}}", "sg."),
    token("mailgun_key", rf"key-{_HEX}{{32}}", "key-"),
    token("mailchimp_key", rf"{_HEX}{{32}}-us\d{{1,2}}", "-us"),
    token("brevo_key", rf"x(?:keysib|smtpsib)-{_HEX}{{40,}}[\w-]*", "xkeysib- xsmtpsib-"),
    token("resend_key", rf"re_{_WORD}{{6,}}_{_WORD}{{16,}}", "re_", _mixed),
    token("twilio_key", r"SK[0-9a-f]{32}", "sk"),
    token("sentry_token", r"sntr(?:ys|yu)_[A-Za-z0-9_=+/-]{30,}", "sntrys_ sntryu_"),
    token("sentry_dsn", rf"https?://({_HEX}{{32}}(?::{_HEX}{{32}})?)@", "@"),
    token("newrelic_key", rf"NR(?:AK|JS|II)-{_WORD}{{20,}}", "nrak- nrjs- nrii-"),
    token("grafana_token", r"gl(?:sa|c)_[A-Za-z0-9+/_]{30,}={0,2}", "glsa_ glc_"),
    token("notion_token", rf"(?:secret|ntn)_{_WORD}{{36,}}", "secret_ ntn_"),
    token("linear_key", rf"lin_(?:api|oauth)_{_WORD}{{30,}}", "lin_"),
    token("figma_token", rf"fig[dour]_{_URL64}{{30,}}", "figd_ figo_ figu_ figr_"),
    token("airtable_token", rf"pat{_WORD}{{14}}\.{_HEX}{{64}}", "pat"),
    token("postman_key", rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}", "pmak-"),
    token("dropbox_token", rf"sl\.(?:u\.)?{_URL64}{{60,}}", "sl."),
    token("doppler_token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}", "dp."),
    token("tailscale_key", rf"tskey-(?:auth-|api-|client-)?{_WORD}+-{_WORD}{{20,}}", "tskey-"),
    token(
        "onepassword_key",
        rf"(?:A3-[A-Z0-9]{{6}}-[A-Z0-9-]{{20,}}|ops_eyJ{_URL64}{{40,}})",
        "a3- ops_eyj",
    ),
    token("facebook_token", rf"EAA[A-Z]{_WORD}{{60,}}", "eaa"),
    token("jwt", rf"eyJ{_URL64}{{6,}}\.{_URL64}{{6,}}(?:\.{_URL64}*)?", "eyj", _jwt),
    token("age_key", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{20,}", "age-secret-key-"),
    token("extended_private_key", rf"[xyztuv]prv{_WORD}{{100,}}", "prv"),
    token("otp_uri", r"otpauth://[^\s\"'<>]{1,300}?secret=([A-Za-z2-7=%]{8,})", "otpauth://"),
)
TOKENS: tuple[Rule, ...] = (*CLOUD, *CHAT, *FORGES, *MONEY, *MODELS, *SERVICES)
