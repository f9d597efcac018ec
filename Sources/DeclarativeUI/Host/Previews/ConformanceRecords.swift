import CSystem

/// Which types of a program conform to a protocol, from the records that the compiler leaves for the runtime's casts.
/// They are in the program itself, also in one that is linked statically, and nowhere are they listed by an API of
/// Swift's.
///
/// The shapes read here are part of Swift's ABI. Generic types and what is no type of Swift's are left out. A release
/// build keeps no record of types that nothing uses and that are not public.
enum ConformanceRecords {
    /// - Parameter existential: `(any P).self` of one protocol.
    static func types(conformingTo existential: Any.Type) -> [Any.Type] {
        guard let wanted = descriptor(of: existential) else { return [] }
        return sections().flatMap { section in
            stride(from: 0, to: section.count - 3, by: 4).compactMap { type(of: section.start + $0, if: wanted) }
        }
    }

    private struct Section { var start: UnsafeRawPointer, count: Int }

    /// `swift5_protocol_conformances` of the program and its libraries.
    private static func sections() -> [Section] {
        final class Found { var sections: [Section] = [] }
        let found = Found()
        swift_enumerateAllMetadataSections(
            { record, context in
                guard let record, let context else { return true }
                // A version, the base address, two words unused, then a start and a length for each kind: protocols,
                // conformances, …
                let word = MemoryLayout<Int>.size
                guard record.load(as: Int.self) >= 1,
                    let start = record.load(fromByteOffset: 6 * word, as: UnsafeRawPointer?.self)
                else { return true }
                let count = record.load(fromByteOffset: 7 * word, as: Int.self)
                Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().sections.append(
                    Section(start: start, count: count))
                return true
            }, Unmanaged.passUnretained(found).toOpaque())
        return found.sections
    }

    /// The protocol of `any P`: behind the kind of metadata, its flags and how many protocols it has.
    private static func descriptor(of existential: Any.Type) -> UnsafeRawPointer? {
        let metadata = unsafeBitCast(existential, to: UnsafeRawPointer.self)
        let isExistential = metadata.load(as: Int.self) == 0x303
        guard isExistential, metadata.load(fromByteOffset: MemoryLayout<Int>.size + 4, as: UInt32.self) == 1 else {
            return nil
        }
        return metadata.load(fromByteOffset: MemoryLayout<Int>.size + 8, as: UnsafeRawPointer.self)
    }

    private static func type(of record: UnsafeRawPointer, if wanted: UnsafeRawPointer) -> Any.Type? {
        guard let conformance = target(record), indirectable(conformance) == wanted,
            let reference = target(conformance + 4)
        else { return nil }
        let descriptor: UnsafeRawPointer
        switch conformance.load(fromByteOffset: 12, as: UInt32.self) >> 3 & 7 {
        case 0: descriptor = reference
        case 1: descriptor = reference.load(as: UnsafeRawPointer.self)
        default: return nil
        }
        // A class, a structure or an enumeration, without the mark of what is generic.
        let flags = descriptor.load(as: UInt32.self)
        guard (16...18).contains(flags & 0x1f), flags & 0x80 == 0, let accessor = target(descriptor + 12),
            let metadata = zt_swift_metadata(accessor)
        else { return nil }
        return unsafeBitCast(metadata, to: Any.Type.self)
    }

    /// What a distance of 32 bits leads to, from where it stands.
    private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }

    /// The same; an odd one leads to a pointer.
    private static func indirectable(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = Int(place.load(as: Int32.self))
        guard distance != 0 else { return nil }
        return distance & 1 == 0 ? place + distance : (place + (distance & ~1)).load(as: UnsafeRawPointer?.self)
    }
}
