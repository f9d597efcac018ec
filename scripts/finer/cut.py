"""Sections cut into smaller ones."""
import bisect
import struct
import tempfile
from collections import defaultdict

from code_places import disassembled
from elf import ABS64, EXEC, PC32, PLT32, PROGBITS, RETAIN, SECTION, Elf, NotUnderstood

# Swift's descriptors, by the ends of their names: where in them relative pointers stand always.
DESCRIPTORS = {"Mn": {4, 8}, "Mc": {0, 4, 8}, "Mp": {4, 8, 20}, "MP": {4}, "MXX": {4}, "MXE": {4, 8}, "MXM": {4, 8}, "Tq": {4}}


class Cut:
    """Where a section is cut: `starts` of its pieces."""

    def __init__(self, elf: Elf, section: int, ends: bool):
        self.section, self.size = section, elf.S[section][5]
        self.symbols = [one for one in elf.Y if one[3] == section and one[1] & 15 != SECTION]
        # Of what begins within another symbol (a type's metadata by the address that they are known by) the size says nothing.
        self.spans, reach = [], -1
        for begin, end in sorted(((one[4], one[4] + one[5]) for one in self.symbols if one[5]), key=lambda span: (span[0], -span[1])):
            if begin >= reach:
                self.spans.append((begin, end))
                reach = end
        whole = {begin for begin, _ in self.spans}
        marks = {one[4] for one in self.symbols} | ({end for _, end in self.spans} if ends else set())
        inside, reach, next_span = set(), -1, 0
        for mark in sorted(marks):
            while next_span < len(self.spans) and self.spans[next_span][0] < mark:
                reach = self.spans[next_span][1]
                next_span += 1
            if mark < reach:
                inside.add(mark)
        if ends:
            # They begin before that address.
            inside |= {one[4] for one in self.symbols if elf.name(one).startswith("$s") and elf.name(one).endswith("N")} - whole
        self.marks = (marks - inside) | {0}
        self.settle()

    def settle(self) -> None:
        self.starts = sorted(mark for mark in self.marks if mark < self.size or mark == 0)

    def piece(self, place: int) -> int:
        return bisect.bisect_right(self.starts, place) - 1

    def is_within(self, place: int) -> bool:
        index = bisect.bisect_right(self.spans, (place, 1 << 60)) - 1
        while index >= 0 and self.spans[index][0] > place - 4096:
            if self.spans[index][0] <= place < self.spans[index][1]:
                return True
            index -= 1
        return False

    def join(self, pairs) -> None:
        gone = set()
        for low, high in pairs:
            gone.update(range(low + 1, high + 1))
        self.starts = [start for index, start in enumerate(self.starts) if index not in gone]


class Splitter:
    def __init__(self, data: bytes):
        self.elf = elf = Elf(data)
        if elf.machine != 62 or not elf.relocations:
            raise NotUnderstood("another processor, or nothing to do")
        code = [index for index, one in enumerate(elf.S) if one[2] & EXEC and one[1] == PROGBITS and one[5]]
        texts = [index for index in code if elf.N[index] == ".text"]
        if len(texts) != 1:
            raise NotUnderstood("no .text")
        self.text = texts[0]
        with tempfile.NamedTemporaryFile(suffix=".o") as file:
            file.write(data)
            file.flush()
            listing = disassembled(file.name)
        if [name for name, *_ in listing] != [elf.N[index] for index in code]:
            raise NotUnderstood("sections of another order")
        self.code = {index: tuple(rest) for index, (_, *rest) in zip(code, listing)}
        self.section_symbols = {index: one[3] for index, one in enumerate(elf.Y) if one[1] & 15 == SECTION}
        self.cut_all()

    def end(self, section: int, place: int) -> int:
        """Where the instruction ends that `place` is in: from there a distance in it counts."""
        places = self.code[section][0]
        index = bisect.bisect_right(places, place)
        return places[index] if index < len(places) else self.elf.S[section][5]

    def cut_all(self) -> None:
        elf = self.elf
        is_swift = any(name.startswith("swift5_") for name in elf.N)

        def those(*names):
            return [index for index, name in enumerate(elf.N)
                    if is_swift and name in names and elf.S[index][1] == PROGBITS and elf.S[index][5] and not elf.S[index][2] & RETAIN]

        self.constants = those(".rodata")
        self.data = those(".data", ".data.rel.ro", "swift5_typeref")
        self.cuts = {self.text: Cut(elf, self.text, ends=False)}
        self.cuts |= {section: Cut(elf, section, ends=True) for section in self.constants + self.data}
        # Constants that code takes the address of, and from where.
        self.taken = defaultdict(dict)
        for section in self.code:
            for place, kind, symbol, addend in elf.R.get(section, ()):
                if kind not in (PC32, PLT32):
                    continue
                known = self.section_symbols.get(symbol)
                base = 0 if known is not None else elf.Y[symbol][4]
                target = known if known is not None else elf.Y[symbol][3]
                if 0 < target < 0xFF00 and target not in self.code:
                    self.taken[target][base + addend + self.end(section, place) - place] = (section, place)
        self.into_text = {
            section: {place for place, kind, symbol, _ in entries if kind == PC32 and symbol in self.section_symbols}
            for section, entries in elf.R.items()}
        for section in self.constants:
            self.cut_constants(section)

    def table(self, section: int, place: int, addend: int):
        """Of an entry of a table of jumps: where the table begins, and the place in the function that reads it."""
        taken, base = self.taken[section], place
        while base not in taken:
            base -= 4
            if base not in self.into_text[section]:
                return None
        reader, text = taken[base], self.cuts[self.text]
        target = addend - (place - base)
        if reader[0] != self.text or not 0 <= target < text.size:
            return None
        # What is never jumped to may lie where the function ends.
        mine = text.piece(reader[1])
        if mine not in (text.piece(target), text.piece(target - 1)) or (target in text.marks and (place == base or addend in text.marks)):
            return None
        return base, reader[1]

    def cut_constants(self, section: int) -> None:
        elf, cut = self.elf, self.cuts[section]
        tables, held = defaultdict(list), set()
        for place, kind, symbol, addend in elf.R.get(section, ()):
            held |= {place, place + 4} if kind == ABS64 else {place}
            if kind == PC32 and self.section_symbols.get(symbol) == self.text and not cut.is_within(place):
                found = self.table(section, place, addend)
                if found:
                    tables[found[0]].append(place)
        for base, places in tables.items():
            if places == list(range(base, base + 4 * len(places), 4)):
                cut.marks |= {base, base + 4 * len(places)}
        cut.settle()
        # A distance that the assembler has settled looks like any number: whatever may be one keeps two pieces together.
        begins, pairs = {one[4] for one in cut.symbols}, []
        pointers, numbers = self.descriptor_words(cut)
        cut.settled = []
        relocated = {cut.piece(entry[0]) for entry in elf.R.get(section, ())}
        named = {cut.piece(begin) for begin in begins if begin < cut.size}
        for place in range(0, cut.size - 3, 4):
            distance = struct.unpack_from("<i", elf.b, elf.S[section][4] + place)[0]
            target = place + distance
            if place in held or distance == 0 or not 0 <= target < cut.size:
                continue
            here, there = cut.piece(place), cut.piece(target)
            if here == there or place in numbers:
                continue
            if place in pointers:
                cut.settled.append((place, target))
            # Layouts and the names of types stand between them without a name, and refer to nothing.
            elif (target in begins or not cut.is_within(target)) and (distance < 0 or here in named or here in relocated):
                pairs.append((min(here, there), max(here, there)))
        cut.pairs = pairs

    def descriptor_words(self, cut: Cut) -> tuple[set[int], set[int]]:
        """Of Swift's descriptors (swift/ABI/Metadata.h) the words that are relative pointers, and those that are numbers."""
        pointers, numbers, elf = set(), set(), self.elf
        begins = {one[4] for one in cut.symbols}
        for one in cut.symbols:
            name, at, size = elf.name(one), one[4], one[5]
            if not name.startswith("$s") or at % 4:
                continue
            if name.endswith("Wvd"):
                numbers |= {at, at + 4}
                continue
            kind = next((ending for ending in DESCRIPTORS if name.endswith(ending)), None)
            if kind is None:
                continue
            words = struct.unpack_from(f"<{size // 4}i", elf.b, elf.S[cut.section][4] + at)
            known = set(DESCRIPTORS[kind])
            if kind == "Mn" and words and words[0] & 0x80:
                # A generic type's cache and pattern, behind what is a class's, or a struct's or an enum's.
                known |= {44, 48} if words[0] & 31 == 16 else {28, 32}
            for index, word in enumerate(words):
                place, target = 4 * index, at + 4 * index + (word & ~1)
                # No number in them is negative and as small as a distance. What is positive, and does not stand where pointers do,
                # counts something, unless it happens to name a beginning.
                if place in known or word < 0 and target in begins:
                    pointers.add(at + place)
                elif word > 0 and kind != "MP" and target not in begins:
                    numbers.add(at + place)
        return pointers, numbers

    def references(self):
        """Each relocation that names a place by its section: with that section, and the place that is meant."""
        text = self.cuts[self.text]
        for section, entries in self.elf.R.items():
            for entry in entries:
                place, kind, symbol, addend = entry
                target = self.section_symbols.get(symbol)
                if target not in self.cuts:
                    continue
                is_sure = True
                if section in self.code:
                    where = addend + self.end(section, place) - place if kind in (PC32, PLT32) else addend
                elif kind == ABS64 or (kind == PC32 and target != self.text):
                    where = addend
                elif kind == PC32:
                    found = self.table(section, place, addend)
                    # By the function, not by the place in it.
                    where, is_sure = (found[1], True) if found else (addend, False)
                else:
                    raise NotUnderstood(f"relocation {kind}")
                if not 0 <= where <= self.cuts[target].size:
                    raise NotUnderstood("a place outside of its section")
                if not is_sure and where not in text.marks and where not in self.code[self.text][2]:
                    raise NotUnderstood("a place within a function")
                if target in self.data and self.is_metadata(target, where):
                    raise NotUnderstood("a type's metadata without what stands before them")
                yield entry, section, target, where

    def is_metadata(self, section: int, where: int) -> bool:
        """Whether a variable's box begins a piece: its metadata (of the kind 1024) stand 16 bytes before the address that they go by."""
        cut, at = self.cuts[section], self.elf.S[section][4] + where
        return cut.starts[cut.piece(where)] == where and where + 8 <= cut.size and struct.unpack_from("<Q", self.elf.b, at)[0] == 1024

    def split(self) -> bytes:
        elf, text = self.elf, self.cuts[self.text]
        for index, name in enumerate(elf.N):
            if name in (".eh_frame", ".llvm_addrsig") or name.startswith(".debug_"):
                elf.forget(index)
        references, near = list(self.references()), defaultdict(list)
        for _, section, target, where in references:
            cut = self.cuts[target]
            index = cut.piece(where)
            # An array may be read from before its beginning, where the first index is not 0.
            if target != self.text and section in self.code and where != cut.starts[index] and index + 1 < len(cut.starts) \
                    and cut.starts[index + 1] - where <= 64:
                near[target].append((index, index + 1))
        settled = self.settled_in_text()
        for section in self.constants:
            self.cuts[section].join(near[section] + self.cuts[section].pairs)
        for section in self.data:
            self.cuts[section].join(near[section])
        symbols = {(section, index): elf.add_symbol(section, start)
                   for section, cut in self.cuts.items() for index, start in enumerate(cut.starts)}
        for entry, _, target, where in references:
            index = self.cuts[target].piece(where)
            entry[2], entry[3] = symbols[target, index], entry[3] - self.cuts[target].starts[index]
        for place, target in settled:
            index = text.piece(target)
            elf.R.setdefault(self.text, []).append([place, PC32, symbols[self.text, index], target - text.starts[index] - 4])
        for section in self.constants:
            cut = self.cuts[section]
            for place, target in cut.settled:
                index = cut.piece(target)
                elf.R.setdefault(section, []).append([place, PC32, symbols[section, index], target - cut.starts[index]])
        for cut in self.cuts.values():
            self.make_sections(cut)
        elf.new = [one[:2] for one in elf.new]
        return elf.written()

    def settled_in_text(self) -> list[tuple[int, int]]:
        """Calls, jumps and addresses between functions that have no relocation: where they are written, and what they mean."""
        text, found, neighbours = self.cuts[self.text], [], []
        relocated = [entry[0] for entry in self.elf.R.get(self.text, ())]
        for place, (how, target, is_relative) in self.code[self.text][1].items():
            end = self.end(self.text, place)
            index = bisect.bisect_left(relocated, place)
            if index < len(relocated) and relocated[index] < end:
                continue
            if target is None or not (is_relative or how.startswith(("j", "call", "loop")) or how == "xbegin"):
                raise NotUnderstood(f"the instruction {how}")
            here, there = text.piece(place), text.piece(target)
            if here == there:
                continue
            if end - place < 5:
                # A short jump to a neighbour: they stay together.
                if abs(here - there) > 8:
                    raise NotUnderstood("a far short jump")
                neighbours.append((min(here, there), max(here, there)))
            elif is_relative and not how.startswith("lea"):
                raise NotUnderstood(f"the instruction {how}")
            else:
                found.append((end - 4, target))
        text.join(neighbours)
        return found

    def make_sections(self, cut: Cut) -> None:
        elf = self.elf
        header = list(elf.S[cut.section])
        indices, before = [cut.section], []
        for _ in cut.starts[1:]:
            indices.append(len(elf.S))
            elf.S.append(list(header))
            elf.N.append(elf.N[cut.section])
        for number, index in enumerate(indices):
            start = cut.starts[number]
            end = cut.starts[number + 1] if number + 1 < len(cut.starts) else cut.size
            if cut.section == self.text:
                # What the compiler began at an even place keeps one; what it made small has none to keep.
                before.append(0)
                elf.S[index][8] = min(header[8], start & -start) if start else header[8]
            else:
                # From where the section's own alignment holds, so that it does within.
                before.append(start % max(header[8], 1))
            elf.S[index][4], elf.S[index][5] = header[4] + start - before[number], end - start + before[number]
        for entry in sorted(elf.R.pop(cut.section, []), key=lambda r: r[0]):
            number = cut.piece(entry[0])
            entry[0] -= cut.starts[number] - before[number]
            elf.R.setdefault(indices[number], []).append(entry)
        if cut.section in elf.relocations:
            elf.R.setdefault(cut.section, [])
        for one in elf.new:
            if one[0] == cut.section and not one[-1:] == [None]:
                number = cut.piece(one[1])
                one[:] = [indices[number], before[number], None]
        for one in cut.symbols:
            number = len(cut.starts) - 1 if one[4] >= cut.size else cut.piece(one[4])
            one[3], one[4] = indices[number], one[4] - (cut.starts[number] - before[number])
