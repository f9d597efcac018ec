"""What shell blocks of a page name, for scripts/check-code-blocks: commands, targets, scripts, options and filters that must exist."""
import json
import re
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Programs of others that a page may name.
PROGRAMS = set(
    "apt-get apt-cache awk bash cat cd chmod cp curl dbus-run-session dpkg-query echo env export ffmpeg ffplay ffprobe flatpak "
    "flatpak-builder fc-list gdbus git glxinfo grep gsettings gst-launch-1.0 head id journalctl jq ldd ls mkdir mpv nvidia-smi pactl "
    "pavucontrol perf pidof playerctl ps python3 rm sed ssh sudo systemctl tail top ulimit vainfo vdpauinfo weston x11vnc xdpyinfo "
    "xdg-mime xrandr xvfb-run gtk-update-icon-cache update-desktop-database appstreamcli dpkg dpkg-deb lintian desktop-file-validate "
    "man which command uname loginctl gio busctl wpctl time".split())
SWIFT_WORDS = {"build", "run", "test", "package", "format"}


class Shell:
    def __init__(self, tool: Path):
        self.tool = tool
        self.commands: dict[str, dict[str, bool]] | None = None  # options, and whether they take a value
        self.filters: dict[str, bool] = {}
        self.is_prose = False  # where an option may be named without its value
        text = (ROOT / "Makefile").read_text()
        self.targets = set(re.findall(r"^([\w-]+):(?!=)", text, re.MULTILINE))
        self.variables = set(re.findall(r"\$[({](?:or )?(?:\$\()?(\w+)", text)) | set(re.findall(r"^(\w+)\s*[?:]?=", text, re.MULTILINE))
        self.package = (ROOT / "Package.swift").read_text()

    def tree(self) -> dict[str, dict[str, bool]]:
        if self.commands is None:
            if not self.tool.exists():
                raise SystemExit(f"check-code-blocks: no {self.tool}: build it first, or name another by --tool")
            dumped = json.loads(subprocess.run(
                [self.tool, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout)
            self.commands = {}

            def walk(command: dict, path: str) -> None:
                options = {}
                for argument in command.get("arguments", []):
                    for name in argument.get("names", []):
                        dashes = "--" if name["kind"] == "long" else "-"
                        options[dashes + name["name"]] = argument["kind"] == "option"
                self.commands[path] = options
                for below in command.get("subcommands", []):
                    walk(below, f"{path} {below['commandName']}".strip())

            walk(dumped["command"], "")
        return self.commands

    def zoetrope(self, words: list[str]) -> str | None:
        tree, path = self.tree(), ""
        while words and f"{path} {words[0]}".strip() in tree and words[0]:
            path = f"{path} {words.pop(0)}".strip()
        if path == "help":
            return None if not words or " ".join(words) in tree else f"zoetrope has no command “{' '.join(words)}”"
        if path == "" and not (words and words[0].startswith("-") and words[0] in ("--help", "--version", "-h")):
            path = "play"
        if path and any(known.startswith(path + " ") for known in tree) and words and re.fullmatch(r"[a-z]+", words[0]):
            return f"zoetrope {path} has no command “{words[0]}”"
        options = tree.get(path, {})
        words = list(words)
        while words:
            word = words.pop(0)
            if word == "--":
                break
            if not word.startswith("-") or word == "-" or re.fullmatch(r"-\d.*", word):
                continue
            name, _, value = word.partition("=")
            if name not in options:
                if name in ("--help", "-h", "--version"):
                    continue
                return f"zoetrope {path} has no option {name}"
            if options[name] and not value:
                if not words:
                    return None if self.is_prose else f"{name} wants a value"
                value = words.pop(0)
            if name == "--filter":
                filter = value.split(":")[0]
                if filter not in self.filters:
                    known = "CI" + filter.removeprefix("CI")
                    self.filters[filter] = subprocess.run([self.tool, "filters", known], capture_output=True).returncode == 0
                if not self.filters[filter]:
                    return f"there is no filter {filter}"
        return None

    def command(self, words: list[str]) -> str | None:
        """What is wrong with it."""
        while words and re.fullmatch(r"\w+=.*", words[0], re.DOTALL):
            name = words.pop(0).split("=")[0]
            if name.startswith("ZOETROPE_") and not self.mentioned(name):
                return f"nobody reads {name}"
        if words and words[0] in ("sudo", "time", "command", "xvfb-run", "dbus-run-session", "env"):
            words = words[1:]
            while words and (words[0].startswith("-") or "=" in words[0]):
                if words.pop(0) == "-u" and words:
                    words.pop(0)
            return self.command(words) if words else None
        if not words:
            return None
        program, rest = words[0], words[1:]
        if program == "make":
            for word in rest:
                if "=" in word:
                    if word.split("=")[0] not in self.variables:
                        return f"the Makefile reads no {word.split('=')[0]}"
                elif not word.startswith("-") and word not in self.targets:
                    return f"make has no target “{word}”"
            return None
        if Path(program).name == "zoetrope":
            return self.zoetrope(rest)
        if program == "swift":
            if not rest or rest[0].lstrip("-") not in SWIFT_WORDS | {"version"}:
                return f"swift has no “{' '.join(rest[:1])}”"
            products = [rest[at + 1] for at, word in enumerate(rest[:-1]) if word == "--product"]
            missing = [name for name in products if f'"{name}"' not in self.package]
            return f"the package has no product {missing[0]}" if missing else None
        if "/" in program:
            if program.startswith((".build/", "/", "~")):
                return None if program.startswith("/") or self.is_product(program) else f"no program {program}"
            path = ROOT / program
            if not path.exists():
                return f"there is no {program}"
            text = path.read_text(errors="replace")
            options = [word.split("=")[0] for word in rest if word.startswith("--") and len(word) > 2]
            # What is handed on, or belongs to argparse, does not stand in the script.
            is_open = '"$@"' in text
            missing = [
                option for option in options
                if option not in text and not is_open and not (option == "--help" and "argparse" in text)
            ]
            return f"{program} has no option {missing[0]}" if missing else None
        return None if program in PROGRAMS else f"“{program}” is no program that is known here (scripts/code_block_shell.py lists them)"

    def is_product(self, program: str) -> bool:
        return f'"{Path(program).name}"' in self.package or f'/{Path(program).name}"' in self.package

    def mentioned(self, name: str) -> bool:
        return subprocess.run(
            ["grep", "-rqF", name, ROOT / "Sources", ROOT / "scripts", "--exclude=*.md", "--exclude=code_block*", "--exclude-dir=*.docc"]).returncode == 0

    def line(self, line: str) -> str | None:
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars="|;&<>")
            lexer.whitespace_split, lexer.commenters = True, "#"
            tokens = list(lexer)
        except ValueError as error:
            return f"the shell cannot read it: {error}"
        words, parts, skips = [], [], False
        for token in tokens:
            if skips:
                skips = False
            elif re.fullmatch(r"[|;&]+", token):
                parts.append(words)
                words = []
            elif re.fullmatch(r"[<>]+&?", token):
                skips = True
                if words and words[-1] in ("1", "2"):
                    words.pop()
            else:
                words.append(token)
        for part in [*parts, words]:
            wrong = self.command(list(part)) if part else None
            if wrong:
                return wrong
        return None

    def block(self, block) -> list[str]:
        told, held, start = [], "", 0
        for number, line in enumerate(block.text.splitlines(), block.line):
            start = start if held else number
            line = re.sub(r"^\s*\$ ", "", line)
            held += line
            if held.endswith("\\"):
                held = held[:-1] + " "
                continue
            wrong = self.line(held)
            if wrong:
                told.append(f"{block.path}:{start}: error: {wrong}")
            held = ""
        return told

    def spans(self, path: Path) -> list[str]:
        """Commands of ours in running text."""
        told, inside = [], False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"):
                inside = not inside
            if inside:
                continue
            for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
                if re.match(r"^(zoetrope|make|scripts/\S+) (?=[a-z-])(?!.*[…{(])", span) and not re.search(r"\b[A-Z]{3,}\b…", span):
                    self.is_prose = True
                    wrong = self.line(span.replace(" [", " ").replace("]", ""))
                    self.is_prose = False
                    if wrong:
                        told.append(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{number}: error: {wrong}")
        return told
