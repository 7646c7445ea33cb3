"""Secrets known by what is said beside them: names, headers, addresses and sentences."""

# ruff: noqa: E501 (a pattern stays on one line, so that it can be read and searched)

from __future__ import annotations

import base64
import binascii
import re

from memory_core.redaction.rule import MARKUP, SEPARATOR, Rule, named, shaped
from memory_core.redaction.values import secret_value, spoken_value, strong_value

_TAIL = r"(?:[_-]?(?:key|base|value|string|prod|dev|production|staging|test|\d{1,3})){0,2}"
_PASSWORDS = (
    r"passw(?:or)?d|passphrase|passcode|senha|contrase[nñ]a|palavra[_-]passe|(?<![a-z])(?:pwd|pass)"
)
_KEYS = (
    r"secret|segredo|(?<![a-z])token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key"
    r"|auth[_-]?key|encryption[_-]?key|signing[_-]?key|credential|chave[_-](?:de[_-])?(?:api|acesso|secreta)"
    r"|(?:access|refresh|auth|bot|id|session|deploy|personal|api)[_-]?token"
)
_UPPER_PASSWORDS = r"PASSW(?:OR)?D|PASSPHRASE|SENHA|(?<![A-Z])(?:PWD|PASS)"
_UPPER_KEYS = r"SECRET|SEGREDO|(?<![A-Z])TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(?<![A-Z])CREDENTIALS?|(?<=_)KEY|CHAVE"
_HINTS = (
    "passw passphrase passcode senha contrase palavra pwd pass secret segredo token key credential "
    "chave"
)


def _password_text(value: str) -> bool:
    return secret_value(value) and not value.startswith("//")


def _bearer(value: str) -> bool:
    return secret_value(value) and (any(c.isdigit() for c in value) or not value[1:].islower())


def _basic(value: str) -> bool:
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded


def _in_address(value: str) -> bool:
    return secret_value(value) and not re.match(r"\d{1,5}/", value)


def _env(value: str) -> bool:
    return secret_value(value) and len(value) >= 4 and not re.fullmatch(r"[\d.,]{1,6}", value)  # noqa: PLR2004


_WIFI = r"wi-?fi|rede|network|roteador|router|hotspot|modem"
_NOUNS = (
    r"senha|password|passcode|passphrase|palavra-passe|contrase[nñ]a|"
    r"c[oó]digo (?:de acesso|do alarme|do cofre|do port[aã]o|da porta|secreto|de seguran[cç]a)|"
    r"(?:access|alarm|gate|door|safe|entry|security) code|segredo do cofre|combina[cç][aã]o do cofre|"
    r"(?:safe|lock) combination|chave (?:do|da|de) (?:wi-?fi|rede|acesso|api)|wi-?fi key|"
    r"api key|secret key|chave secreta|chave de api"
)
_VERBS = r"é|eh|e'|era|ser[aá]|fica|ficou|virou|mudou para|mudei para|passou a ser|is now|is|was|will be|changed to|set to|agora é|=|:|->|→"
_SPOKEN = (
    rf"(?<![\w/.-])(?:{_NOUNS})s?{MARKUP}(?:[ \t][^\n.!?;:=\"'`]{{0,60}}?)?"
    rf"(?:[ \t]{{1,3}}(?:{_VERBS})|[ \t]?[:=]){MARKUP}[ \t]{{0,3}}(?:agora |now |still |ainda )?{MARKUP}"
)
_PIN = (
    rf"(?<![\w/.-])(?:PIN|CVV|CVC|2FA|OTP|puk|c[oó]digo pin|pin code){MARKUP}(?:[ \t][^\n.!?;:=\d]{{0,40}}?)?"
    rf"(?:[ \t](?:é|eh|era|ficou|is now|is|was|=)|[ \t]?[:=]){MARKUP}[ \t]{{0,3}}{MARKUP}[\"'`]?(\d{{3,8}})(?!\d)"
)

CONTEXTS: tuple[Rule, ...] = (
    shaped(
        "connection_string",
        r"(?i)(?::|%3a)(?:/|%2f){2}(?:[^\s:/@\"'<>%]|%(?!3a|2f|40)[0-9a-f]{2}){0,128}(?::|%3a)([^\s/\"'<>`]{1,256}?)(?:@|%40)(?=[\w\[.-])(?![^\s/\"'<>`@]{0,64}@)",
        "://  %3a%2f%2f",
        _in_address,
    ),
    shaped(
        "database_password",
        r"(?i)(?:;|\b)(?:password|pwd)[ ]?=[ ]?([^;\s\"']{3,128});",
        "password pwd",
        secret_value,
    ),
    shaped(
        "bearer",
        r"(?i)\b(?:bearer|token)(?:[ \t]|%20|\+){1,3}([\w.~+/=-]{16,})",
        "bearer token",
        _bearer,
    ),
    shaped(
        "basic_auth", r"(?i)\bbasic(?:[ \t]|%20){1,3}([A-Za-z0-9+/]{8,}={0,2})", "basic", _basic
    ),
    named(
        "secret_header",
        rf"\b(?:x-(?:[a-z]{{1,20}}-){{0,3}}(?:key|token|secret|signature)|api-key|private-token|proxy-authorization|authorization){SEPARATOR}(?:bearer |token |basic |apikey )?",
        "x- api-key private-token authorization",
        _bearer,
    ),
    shaped(
        "url_token",
        r"(?i)[?&](?:access_token|auth_token|refresh_token|id_token|token|api_?key|apikey|key|secret|client_secret|password|senha|passwd|pwd|sig|signature|code|auth|x-amz-signature|x-amz-security-token|x-goog-signature|hash)=([^\s&\"'<>#)\]]{8,})",
        "= ?",
        strong_value,
    ),
    shaped(
        "env_secret",
        rf"(?:{_UPPER_PASSWORDS}|{_UPPER_KEYS})(?:_[A-Z0-9]{{1,12}}){{0,2}}[ \t]{{0,2}}=[ \t]{{0,2}}(?:\"([^\"\n]{{3,}})|'([^'\n]{{3,}})|([^\s\"'`,;&<>|]{{3,}}))",
        _HINTS,
        _env,
    ),
    named(
        "json_secret",
        rf"(?:{_PASSWORDS}){_TAIL}\\?[\"']\s{{0,4}}(?::|=>)\s{{0,4}}",
        _HINTS,
        _password_text,
    ),
    named(
        "json_key", rf"(?:{_KEYS}){_TAIL}\\?[\"']\s{{0,4}}(?::|=>)\s{{0,4}}", _HINTS, strong_value
    ),
    named(
        "assigned_password",
        rf"(?:{_PASSWORDS})(?-i:[a-z_]{{0,12}}){SEPARATOR}",
        _HINTS,
        spoken_value,
    ),
    named("assigned_key", rf"(?:{_KEYS}){_TAIL}{SEPARATOR}", _HINTS, strong_value),
    shaped(
        "xml_secret",
        r"(?i)<(?:password|passwd|pwd|senha|secret|token|api_?key)\b[^>\n]{0,80}>([^<\n]{3,400})",
        "<",
        secret_value,
    ),
    named(
        "cli_flag",
        r"(?<![\w-])--?(?:[a-z]{1,15}-){0,2}(?:password|passwd|pass|pwd|senha|token|secret|api-?key|access-key|secret-key|passphrase|auth-token)(?:[ \t]{1,3}|=)(?!-)",
        "-",
        spoken_value,
    ),
    shaped(
        "cli_user",
        r"(?<![\w-])(?:-u|--user)[ \t=]{1,3}[\"']?[\w.@+-]{1,64}:([^\s\"']{3,})",
        "-u --user",
        secret_value,
    ),
    shaped(
        "cli_login",
        r"\b(?:mysql|mysqldump|mariadb|sshpass|redis-cli)\b[^\n|;]{0,120}?[ \t]-[pa][ \t]?[\"']?([^\s\"'-][^\s\"']{3,})",
        "mysql mariadb sshpass redis-cli",
        spoken_value,
    ),
    shaped(
        "netrc",
        r"(?i)\b(?:machine|login)[ \t]{1,4}\S{1,100}[ \t\n]{1,4}(?:login[ \t]{1,4}\S{1,100}[ \t\n]{1,4})?password[ \t]{1,4}(\S{3,})",
        "password",
        secret_value,
    ),
    named(
        "spoken_password",
        _SPOKEN,
        "senha passw pass palavra contrase código codigo code segredo combina chave key token",
        spoken_value,
    ),
    shaped(
        "spoken_plain_password",
        r"(?i)(?:(?:my|our|minha|nossa|a|the) (?:nova |new )?(?:senha|password|passphrase)(?: (?:do|da|de|dos|das|for|of|to) [^\n.!?;:=]{1,40}?)?|(?:senha|password)) ?(?:é|is|:) ?([a-zà-ú]{4,40}(?:-[a-zà-ú]{2,20}){0,6})(?=[ \t]*(?:[.!,;)]|$|\n))",
        "senha password passphrase",
        secret_value,
    ),
    shaped(
        "wifi_password",
        rf"(?i)(?:{_WIFI})[^\n.!?:;]{{0,60}}?[,(/][ ]?(?:senha|password|pass|key|chave|pw)[ ]([^\s,;)]{{4,}})",
        "wi rede network roteador router hotspot modem",
        spoken_value,
    ),
    shaped("wifi_qr", r"WIFI:[^\n]{0,120}?P:((?:[^;\\\n]|\\.){3,});", "wifi:"),
    shaped("pin", rf"(?i){_PIN}", "pin cvv cvc 2fa otp puk"),
    shaped(
        "totp_seed",
        r"(?i)(?:totp|2fa|otp|mfa|authenticator|autenticador|duas etapas|two-factor)[^\n]{0,60}?(?<![a-z0-9])((?-i:[A-Z2-7]{4}(?:[ -]?[A-Z2-7]{4}){3,}))(?![a-z0-9])",
        "totp 2fa otp mfa authenticator autenticador etapas two-factor",
    ),
    shaped(
        "wallet_key",
        r"(?i)(?:private key|chave privada|privkey)[^\n]{0,40}?(?<![0-9a-f])((?:0x)?[0-9a-f]{64})(?![0-9a-f])",
        "private privada privkey",
    ),
    shaped(
        "pagseguro_token",
        r"(?i)pag(?:seguro|bank)[^\n]{0,60}?(?<![0-9a-z])((?:[0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12,}))",
        "pagseguro pagbank",
    ),
    shaped(
        "datadog_key",
        r"(?i)(?:datadog|\bdd)[_ -]?(?:api|app(?:lication)?)[_ -]?key[^\n]{0,20}?(?<![0-9a-f])([0-9a-f]{32,40})(?![0-9a-f])",
        "datadog dd",
    ),
    shaped(
        "cloudflare_key",
        r"(?i)cloudflare[^\n]{0,40}?(?<![\w-])([0-9a-f]{37}|[\w-]{40})(?![\w-])",
        "cloudflare",
        strong_value,
    ),
    shaped("twilio_auth_token", r"AC[0-9a-f]{32}[\s,:;|\"']{1,8}([0-9a-f]{32})(?![0-9a-f])", "ac"),
)
