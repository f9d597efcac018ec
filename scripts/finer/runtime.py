"""What Swift's runtime looks for at run time: not for ever, but as long as what it is about is there."""
import re
import struct

from elf import LINK_ORDER, RETAIN, Elf

CONFORMANCES, TYPES, PROTOCOLS = "swift5_protocol_conformances", "swift5_type_metadata", "swift5_protocols"
# Read by others than what it is about.
STAYS = (".init_array", "swift5_runtime", "swift5_tests", "swift5_backtrace", ".swift1_autolink")
STANDARD = re.compile(r"^\$sSc?[a-zA-Z]M[np]$")


class Loosener:
    """Takes “retain” away, and hangs what the runtime looks for on what it is about."""

    def __init__(self, data: bytes):
        self.elf = Elf(data)

    def at(self, section: int, place: int):
        for entry in self.elf.R.get(section, ()):
            if entry[0] == place:
                return self.elf.Y[entry[2]], entry[3]
        return None

    def section(self, symbol: list):
        return symbol[3] if 0 < symbol[3] < 0xFF00 else None

    def about(self, index: int, name: str):
        """The section of the type or protocol that a record is about, if it is one of this object's."""
        first = self.at(index, 0)
        if not first or self.section(first[0]) is None:
            return None
        symbol, addend = first
        if name != CONFORMANCES:
            return None if STANDARD.match(self.elf.name(symbol)) else symbol[3]
        place = symbol[4] + addend
        kind = (struct.unpack_from("<I", self.elf.b, self.elf.S[symbol[3]][4] + place + 12)[0] >> 3) & 7
        found = self.at(symbol[3], place + 4)
        if not found:
            # The assembler has settled it: the type lies in the same section.
            return symbol[3] if kind == 0 else None
        if kind == 1 and self.section(found[0]) is not None:
            found = self.at(found[0][3], found[0][4] + (found[1] & ~3))
        elif kind != 0:
            return None
        return self.section(found[0]) if found else None

    def loosen(self) -> bytes:
        elf = self.elf
        for index, header in enumerate(elf.S):
            name = elf.N[index]
            if not header[2] & RETAIN or name.startswith(STAYS):
                continue
            kind = next((one for one in (CONFORMANCES, TYPES, PROTOCOLS) if name.startswith(one)), None)
            if kind:
                about = self.about(index, kind)
                if about is None:
                    continue
                header[2], header[6] = header[2] | LINK_ORDER, about
            header[2] &= ~RETAIN
        return elf.written()
