"""Object files (ELF for x86-64): read, changed, written."""
import struct
from collections import defaultdict

ALLOC, EXEC, LINK_ORDER, RETAIN = 0x2, 0x4, 0x80, 0x200000
PROGBITS, SYMTAB, RELA, GROUP, SYMTAB_SHNDX = 1, 2, 4, 17, 18
ABS64, PC32, PLT32 = 1, 2, 4
SECTION = 3  # a symbol's type
WEAK = 2  # its binding


class NotUnderstood(Exception):
    pass


class Elf:
    """An object file: section headers S with names N, symbols Y, relocations R by the section that they are in."""

    def __init__(self, data: bytes):
        self.b = bytearray(data)
        at = struct.unpack_from("<Q", data, 40)[0]
        self.machine = struct.unpack_from("<H", data, 18)[0]
        count, names = struct.unpack_from("<HH", data, 60)
        if count == 0 or names == 0xFFFF:
            raise NotUnderstood("more sections than a header counts")
        self.S = [list(struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * index)) for index in range(count)]
        self.N = [self.text(self.S[names][4] + section[0]) for section in self.S]
        self.relocations, self.R, self.Y, self.new, self.symbols = {}, {}, [], [], None
        for index, section in enumerate(self.S):
            if section[1] == SYMTAB_SHNDX:
                raise NotUnderstood("more sections than symbols count")
            if section[1] == SYMTAB:
                self.symbols = index
                self.names = self.S[section[6]][4]
                self.Y = [list(one) for one in struct.iter_unpack("<IBBHQQ", data[section[4] : section[4] + section[5]])]
            elif section[1] == RELA:
                self.relocations[section[7]] = index
                entries = struct.iter_unpack("<QQq", data[section[4] : section[4] + section[5]])
                self.R[section[7]] = sorted(
                    ([place, kind & 0xFFFFFFFF, kind >> 32, addend] for place, kind, addend in entries), key=lambda r: r[0])

    def text(self, at: int) -> str:
        return self.b[at : self.b.index(b"\0", at)].decode("utf8", "replace")

    def name(self, symbol: list) -> str:
        return self.text(self.names + symbol[0])

    def add_symbol(self, section: int, value: int) -> int:
        """A local symbol without a name; counted down from -1 until it is written."""
        self.new.append([section, value])
        return -len(self.new)

    def forget(self, index: int) -> None:
        self.S[index][1:3] = [0, 0]
        self.S[index][5] = 0
        relocations = self.relocations.pop(index, None)
        if relocations is not None:
            self.R.pop(index)
            self.S[relocations][1:3] = [0, 0]
            self.S[relocations][5] = 0

    def append(self, data: bytes) -> int:
        self.b += b"\0" * (-len(self.b) % 8)
        at = len(self.b)
        self.b += data
        return at

    def written(self) -> bytes:
        if self.symbols is not None:
            table = self.S[self.symbols]
            first, added = table[7], len(self.new)
            rows = self.Y[:first] + [[0, 0, 0, section, value, 0] for section, value in self.new] + self.Y[first:]
            data = b"".join(struct.pack("<IBBHQQ", *row) for row in rows)
            table[4], table[5], table[7] = self.append(data), len(data), first + added
            for section in self.S:
                if section[1] == GROUP and section[7] >= first:
                    section[7] += added
            for index, entries in self.R.items():
                data = b"".join(
                    struct.pack("<QQq", place, ((first - 1 - s if s < 0 else s if s < first else s + added) << 32) | kind, addend)
                    for place, kind, s, addend in entries)
                if index not in self.relocations:
                    self.relocations[index] = len(self.S)
                    self.S.append([0, RELA, 0x40, 0, 0, 0, self.symbols, index, 8, 24])
                header = self.S[self.relocations[index]]
                header[4], header[5] = self.append(data), len(data)
        if len(self.S) >= 0xFF00:
            raise NotUnderstood("too many sections")
        struct.pack_into("<Q", self.b, 40, self.append(b"".join(struct.pack("<IIQQQQIIQQ", *one) for one in self.S)))
        struct.pack_into("<H", self.b, 60, len(self.S))
        return bytes(self.b)
