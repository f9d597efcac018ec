"""What the instructions of an object name (llvm-objdump)."""
import re
import shutil
import subprocess
from pathlib import Path

TARGET, RELATIVE = re.compile(r"^0x([0-9a-f]+)"), re.compile(r"#\s*0x([0-9a-f]+)")


def toolchain(name: str) -> str:
    beside = Path(shutil.which("swift") or "").resolve().parent / name
    return str(beside) if beside.exists() else shutil.which(name) or name


def disassembled(path: str) -> list[tuple[str, list[int], dict, set]]:
    """Of each section with code: where instructions begin, which of them name a place (how, and which), and what follows an end."""
    found = []
    told = subprocess.run([toolchain("llvm-objdump"), "-d", "--no-show-raw-insn", path], capture_output=True, check=True).stdout
    for line in told.decode("utf8", "replace").splitlines():
        if line.startswith("Disassembly of section "):
            found.append((line[23:].rstrip().rstrip(":"), [], {}, {0}))
            ended = False
            continue
        place, colon, rest = line.partition(":")
        if not found or not line.startswith(" ") or not colon:
            continue
        at = int(place, 16)
        found[-1][1].append(at)
        if ended:
            found[-1][3].add(at)
        how, _, operands = rest.strip().partition("\t")
        ended = how.startswith(("ret", "jmp", "ud2", "int3", "nop", "call"))
        if "<" in rest or "# 0x" in rest:
            relative, target = RELATIVE.search(operands), TARGET.match(operands.strip())
            which = relative or target
            found[-1][2][at] = (how.strip(), int(which[1], 16) if which else None, relative is not None)
    return found
