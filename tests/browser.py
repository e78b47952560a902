"""Headless Chromium for tests of pages, through chromedriver's plain HTTP (W3C WebDriver)."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

REQUIRE = "HEXWRIGHT_REQUIRE_ENGINE"
_PROGRAMS = ("chromium", "chromedriver")


def need_browser() -> None:
    """Skip the test where there is no browser; fail it where one is required."""
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if not missing:
        return
    reason = f"no {' and no '.join(missing)}: Debian has packages chromium and chromium-driver"
    if os.environ.get(REQUIRE) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


class Page:
    """An open page."""

    def __init__(self, base: str) -> None:
        self._base = base

    def open(self, path: Path) -> None:
        """Load a file, and wait until it is loaded."""
        _ask("POST", f"{self._base}/url", {"url": path.as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return what it returns."""
        return _ask(
            "POST", f"{self._base}/execute/sync", {"script": script, "args": list(arguments)}
        )

    def log(self, kind: str) -> list[dict[str, Any]]:
        """Return and empty a log: ``browser`` for the console, ``performance`` for requests."""
        found: list[dict[str, Any]] = _ask("POST", f"{self._base}/se/log", {"type": kind})
        return found

    def requested(self) -> list[str]:
        """Return the addresses asked for since the last look, without the browser's own pages."""
        told = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [
            message["params"]["request"]["url"]
            for message in told
            if message["method"] == "Network.requestWillBeSent"
            and not message["params"]["request"]["url"].startswith("chrome")
        ]


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """Run a browser with a profile folder of its own; it ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(
        ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    base = f"http://127.0.0.1:{port}"
    try:
        _wait(base)
        switches = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"]
        options = {"args": [*switches, f"--user-data-dir={profile}"]}
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        made = _ask("POST", f"{base}/session", {"capabilities": {"alwaysMatch": wanted}})
        session = f"{base}/session/{made['sessionId']}"
        try:
            yield Page(session)
        finally:
            _ask("DELETE", session)
    finally:
        driver.terminate()
        driver.wait(timeout=20)


def _wait(base: str) -> None:
    for _ in range(300):
        try:
            if _ask("GET", f"{base}/status")["ready"]:
                return
        except (URLError, ConnectionError):
            pass
        time.sleep(0.1)
    pytest.fail("chromedriver did not start")


def _ask(method: str, url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urlopen(request, timeout=120) as answer:
        return json.loads(answer.read())["value"]
