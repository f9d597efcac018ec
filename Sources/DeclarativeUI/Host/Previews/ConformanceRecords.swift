import CSystem

/// The types of a program that conform to a protocol, from the compiler's records for dynamic casts.
///
/// The records are in the program itself, even if it is linked statically. No API of Swift lists them. Their layout is
/// part of Swift's ABI. Generic types and types of other languages are left out. A release build has no records of
/// unused types that are not public.
enum ConformanceRecords {
    /// Returns the types that conform to a protocol.
    /// - Parameter existential: The type `(any P).self` of one protocol.
    static func types(conformingTo existential: Any.Type) -> [Any.Type] {
        guard let protocolDescriptor = descriptor(of: existential) else { return [] }
        return sections().flatMap { section in
            stride(from: 0, to: section.count - 3, by: 4).compactMap {
                type(of: section.start + $0, if: protocolDescriptor)
            }
        }
    }

    private struct Section { var start: UnsafeRawPointer, count: Int }

    /// The sections `swift5_protocol_conformances` of the program and its libraries.
    private static func sections() -> [Section] {
        final class Found { var sections: [Section] = [] }
        let found = Found()
        swift_enumerateAllMetadataSections(
            { record, context in
                guard let record, let context else { return true }
                // The layout: a version, the base address, two unused words. Then a start and a length for each kind:
                // protocols, conformances and others.
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

    /// Returns the descriptor of the protocol in `any P`. In the type's metadata, the descriptor comes after the kind,
    /// the flags and the number of protocols.
    private static func descriptor(of existential: Any.Type) -> UnsafeRawPointer? {
        let metadata = unsafeBitCast(existential, to: UnsafeRawPointer.self)
        let isExistential = metadata.load(as: Int.self) == 0x303
        guard isExistential, metadata.load(fromByteOffset: MemoryLayout<Int>.size + 4, as: UInt32.self) == 1 else {
            return nil
        }
        return metadata.load(fromByteOffset: MemoryLayout<Int>.size + 8, as: UnsafeRawPointer.self)
    }

    private static func type(of record: UnsafeRawPointer, if protocolDescriptor: UnsafeRawPointer) -> Any.Type? {
        guard let conformance = target(record), indirectable(conformance) == protocolDescriptor,
            let reference = target(conformance + 4)
        else { return nil }
        let descriptor: UnsafeRawPointer
        switch conformance.load(fromByteOffset: 12, as: UInt32.self) >> 3 & 7 {
        case 0: descriptor = reference
        case 1: descriptor = reference.load(as: UnsafeRawPointer.self)
        default: return nil
        }
        // Accepts classes, structures and enumerations that are not generic.
        let flags = descriptor.load(as: UInt32.self)
        guard (16...18).contains(flags & 0x1f), flags & 0x80 == 0, let accessor = target(descriptor + 12),
            let metadata = zt_swift_metadata(accessor)
        else { return nil }
        return unsafeBitCast(metadata, to: Any.Type.self)
    }

    /// Returns the target of a relative 32-bit pointer, or nil if it is 0.
    private static func target(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.load(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// Returns the target of a relative 32-bit pointer. An odd distance leads to an absolute pointer.
    private static func indirectable(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = Int(pointer.load(as: Int32.self))
        guard distance != 0 else { return nil }
        return distance & 1 == 0 ? pointer + distance : (pointer + (distance & ~1)).load(as: UnsafeRawPointer?.self)
    }
}
