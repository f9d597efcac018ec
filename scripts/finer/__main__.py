"""Cuts objects and archives into smaller sections, so that the linker's --gc-sections leaves out what nothing reaches.

Usage: scripts/finer OUTPUT ENTRY FILE.a… FILE.o…      FILE.a goes to OUTPUT/FILE.a, objects to OUTPUT/objects/
       (ENTRY: the symbol that the program begins with; @FILE: a list of files, one a line, as SwiftPM writes it for the linker)

Swift's objects stand in the linker's way twice. What is public is marked “retain” (SHF_GNU_RETAIN), for a program might be linked
against it later; nobody links against ours. And what is not public lies in one section for code and a few for data, of which
all stays as soon as one thing is needed. So, of each object:
 1. “retain” goes (runtime.py). What the runtime looks for at run time (swift5_protocol_conformances, swift5_type_metadata, swift5_protocols)
    hangs on the type or protocol that it is about instead (SHF_LINK_ORDER): it is there if that is. A type that is reached by
    its name alone stays: those whose names Swift writes short (`Si`, `SS`, `ScM`).
 2. `.text` becomes a section for each function, `.data`, `.data.rel.ro`, `swift5_typeref` and `.rodata` one for each symbol (cut.py). Where
    the assembler has already settled an address between two of them, for which there is no relocation, code and descriptors are given one
    (instructions are read by llvm-objdump), and other data stay together.
 3. Conformances of what is reached to protocols that are not go too (reach.py).
An object with anything in it that is not understood stays as whole as it was; so do all of another processor than x86-64.
What unwinding and debuggers read goes: the tool has no use for it (scripts/product).
"""
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from code_places import toolchain
from cut import Splitter
from elf import NotUnderstood
from reach import Program
from runtime import Loosener


def finer(data: bytes) -> tuple[bytes, str | None]:
    try:
        data, reason = Splitter(data).split(), None
    except NotUnderstood as error:
        reason = str(error)
    try:
        return Loosener(data).loosen(), reason
    except NotUnderstood as error:
        return data, str(error)


def members(data: bytes):
    at = 8
    while at < len(data):
        size = int(data[at + 48 : at + 58])
        body = data[at + 60 : at + 60 + size]
        if body[:4] == b"\x7fELF":
            yield body
        at += 60 + size + (size & 1)


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    output, entry = Path(sys.argv[1]), sys.argv[2]
    shutil.rmtree(output, ignore_errors=True)
    (output / "objects").mkdir(parents=True)
    files = []
    for name in sys.argv[3:]:
        files += Path(name[1:]).read_text().replace("'", "").replace('"', "").splitlines() if name.startswith("@") else [name]
    whole, objects, archives = defaultdict(int), [], defaultdict(list)
    for number, file in enumerate(map(Path, filter(None, files))):
        for body in members(file.read_bytes()) if file.suffix == ".a" else [file.read_bytes()]:
            data, reason = finer(body)
            whole[reason] += 1
            archives[file.name if file.suffix == ".a" else f"objects/{number}-{file.name}"].append(len(objects))
            objects.append(data)
    try:
        program = Program(objects, sum(not name.endswith(".a") for name in archives), entry)
        unreached = program.unreached()
        for number, data in program.without(unreached).items():
            objects[number] = data
    except NotUnderstood as error:
        sys.exit(f"finer: what the program reaches cannot be told: {error}")
    for name, numbers in archives.items():
        if not name.endswith(".a"):
            (output / name).write_bytes(objects[numbers[0]])
            continue
        with tempfile.TemporaryDirectory() as folder:
            parts = [Path(folder, f"{index}.o") for index in range(len(numbers))]
            for part, number in zip(parts, numbers):
                part.write_bytes(objects[number])
            subprocess.run([toolchain("llvm-ar"), "qcs", output / name, *parts], check=True)
    print(f"{output}: {whole.pop(None, 0)} objects cut, {len(unreached)} conformances of {len(program.records)} left out; not cut: "
          + ", ".join(f"{n} ({why})" for why, n in sorted(whole.items())))


main()
