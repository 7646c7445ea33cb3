from __future__ import annotations

import pytest

from hfea.endpoints import UnsafeEndpoint, checked_host, checked_url


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/",
        "http://2852039166/",
        "http://0xa9fea9fe/latest",
        "http://0251.0376.0251.0376/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fe80::1%25eth0]/",
        "http://metadata.google.internal/",
        "http://metadata.google.internal./",
        "file:///etc/passwd",
        "ftp://models.example/",
        "http://user:word@models.example/",
        "http://",
        "http://models.example:port/",
        "not a url",
        "http://0.0.0.0:11434",
    ],
)
def test_x10_an_address_where_credentials_live_is_refused(url: str) -> None:
    with pytest.raises(UnsafeEndpoint, match="refused"):
        checked_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:11434",
        "http://localhost:11434/",
        "http://192.168.1.20:8080/v1",
        "http://10.0.0.4:11434",
        "http://[::1]:8080",
        "https://models.example/v1/",
    ],
)
def test_x10_loopback_lan_and_public_models_keep_working(url: str) -> None:
    assert checked_url(url) == url.rstrip("/")
    if "example" not in url:
        checked_host(url)
