"""What the program reaches, from its beginning on: a type's conformance to a protocol is wanted where both are reached, and a linker
knows only “where the type is”."""
import struct
from collections import defaultdict

from elf import ALLOC, LINK_ORDER, RETAIN, WEAK, Elf, NotUnderstood
from runtime import CONFORMANCES

BEGIN_AND_END = (14, 15, 16)  # arrays of functions that are called at the beginning and the end


class Program:
    """All objects, in the order of the linker. A place is (object, section, offset); a piece (object, section).

    - Parameter own: so many objects are linked in any case; the others are an archive's.
    """

    def __init__(self, objects: list[bytes], own: int, entry: str):
        self.elfs = [Elf(data) for data in objects]
        self.defined = self.definitions(own)
        if not self.defined[entry]:
            raise NotUnderstood(f"there is no “{entry}” that it begins with")
        self.follows, self.at = defaultdict(set), defaultdict(dict)
        self.roots, self.records = [place[:2] for place in self.defined[entry]], {}
        for number, elf in enumerate(self.elfs):
            for section, header in enumerate(elf.S):
                if not header[2] & ALLOC:
                    continue
                piece = (number, section)
                if elf.N[section].startswith(CONFORMANCES):
                    self.records[piece] = header[5] // 4
                elif header[2] & RETAIN or header[1] in BEGIN_AND_END:
                    self.roots.append(piece)
                elif header[2] & LINK_ORDER:
                    self.follows[number, header[6]].add(piece)

    def definitions(self, own: int) -> dict[str, list[tuple[int, int, int]]]:
        """What each name may mean. Of weak definitions the first one counts; which of an archive's is the first is not known here."""
        strong, weak = defaultdict(list), defaultdict(list)
        for number, elf in enumerate(self.elfs):
            for symbol in elf.Y:
                if symbol[1] >> 4 and 0 < symbol[3] < 0xFF00:
                    (weak if symbol[1] >> 4 == WEAK else strong)[elf.name(symbol)].append((number, symbol[3], symbol[4]))
        for name, places in weak.items():
            strong[name] += places[:1] if places[0][0] < own else places
        return strong

    def targets(self, number: int, relocation: list) -> list[tuple[int, int, int]]:
        elf = self.elfs[number]
        symbol, addend = elf.Y[relocation[2]], relocation[3]
        # What others define too may be theirs.
        if symbol[1] >> 4 == 0 and 0 < symbol[3] < 0xFF00:
            return [(number, symbol[3], symbol[4] + addend)]
        return [(n, s, offset + addend) for n, s, offset in self.defined.get(elf.name(symbol), ())] if symbol[0] else []

    def target(self, place: tuple[int, int, int]):
        """What is written at a place; None: nothing, or nothing of this program."""
        number, section, offset = place
        if (number, section) not in self.at:
            self.at[number, section] = {entry[0]: entry for entry in self.elfs[number].R.get(section, ())}
        entry = self.at[number, section].get(offset)
        found = self.targets(number, entry) if entry else []
        return found[0] if found else None

    def word(self, place: tuple[int, int, int]) -> int:
        elf = self.elfs[place[0]]
        return struct.unpack_from("<i", elf.b, elf.S[place[1]][4] + place[2])[0]

    def condition(self, piece: tuple[int, int], index: int):
        """The pieces of protocol and type, each None where it is always there, or not known (swift/ABI/Metadata.h,
        TargetProtocolConformanceDescriptor)."""
        descriptor = self.target((*piece, 4 * index))
        if descriptor is None:
            return None, None
        number, section, offset = descriptor
        protocol = self.target(descriptor)
        if protocol is None:
            # Settled by the assembler, it lies in the same section.
            about = (number, section) if self.word(descriptor) else None
        else:
            protocol = self.target((protocol[0], protocol[1], protocol[2] & ~1)) if protocol[2] & 1 else protocol
            about = protocol and protocol[:2]
        kind = self.word((number, section, offset + 12)) >> 3 & 7
        type_ = self.target((number, section, offset + 4))
        if kind > 1:
            return about, None
        if type_ is None:
            return about, (number, section) if self.word((number, section, offset + 4)) else None
        if kind == 1:
            type_ = self.target((type_[0], type_[1], type_[2] & ~3))
        return about, type_ and type_[:2]

    def unreached(self) -> list[tuple[int, int]]:
        """Records of conformances that nobody can ask for."""
        seen, waiting = set(), list(self.roots)
        left = {piece: [self.condition(piece, index) for index in range(count)] for piece, count in self.records.items()}
        while waiting:
            while waiting:
                piece = waiting.pop()
                if piece in seen:
                    continue
                seen.add(piece)
                number, section = piece
                for entry in self.elfs[number].R.get(section, ()):
                    waiting += [(n, s) for n, s, _ in self.targets(number, entry) if (n, s) not in self.records and (n, s) not in seen]
                waiting += self.follows.get(piece, ())
            for piece in list(left):
                if any((protocol is None or protocol in seen) and (type_ is None or type_ in seen) for protocol, type_ in left[piece]):
                    del left[piece]
                    waiting.append(piece)
        return list(left)

    def without(self, unreached: list[tuple[int, int]]) -> dict[int, bytes]:
        """The objects that change when nothing holds these records any more, by their numbers."""
        for number, section in unreached:
            header = self.elfs[number].S[section]
            header[2] &= ~(RETAIN | LINK_ORDER)
            header[6] = 0
        return {number: self.elfs[number].written() for number in {number for number, _ in unreached}}
