import Foundation
import MediaCore

/// All parts of one export, in order.
struct PartSet {
    let files: [URL]
    /// The record of the first part.
    let record: PartRecord
    /// The properties of the video stream. Nil if no part has frames.
    let video: PartRecord.Video?
    let type: AVFileType

    /// Opens and checks the parts, given in any order.
    /// - Throws: `.invalidArgument`, which names the part that is foreign, repeated or missing.
    init(_ urls: [URL], joinedAt target: URL) throws(AVError) {
        var known: [Int: (url: URL, record: PartRecord)] = [:]
        var reference: (location: String, record: PartRecord, parameterSets: [UInt8])?
        var video: PartRecord.Video?
        for url in urls {
            let file = try PartFile(url)
            let sets = file.parameterSets
            if let reference {
                try PartSet.check(file, sets, against: reference)
            }
            // A part without frames has no parameter sets to compare.
            if reference == nil || (reference?.parameterSets.isEmpty == true && !sets.isEmpty) {
                reference = (file.location, file.record, sets)
            }
            if let other = known[file.record.number] {
                throw AVError(
                    .invalidArgument, at: file.location,
                    reason: "it is part \(file.record.number) of \(file.record.count), as “\(other.url.location)” is",
                    suggestion: "Name each part once")
            }
            known[file.record.number] = (url, file.record)
            if file.pictures != nil { video = video ?? file.record.video }
        }
        guard let record = reference?.record else {
            throw AVError(.invalidArgument, at: target.location, reason: "there are no parts to join")
        }
        let missing = (1...record.count).filter { known[$0] == nil }
        guard missing.isEmpty else { throw PartSet.missing(missing, of: record.count, at: target.location) }
        let type = AVFileType(rawValue: record.type)
        let wanted = AVFileType(pathExtension: FilePath(target)?.pathExtension ?? "")
        guard wanted == type else {
            throw AVError(
                .invalidArgument, at: target.location,
                reason: "the parts were rendered for a .\(type.preferredPathExtension) file",
                suggestion: "Use this file extension")
        }
        self.type = type
        self.video = video
        self.record = record
        files = (1...record.count).compactMap { known[$0]?.url }
    }

    private static func check(
        _ file: PartFile, _ sets: [UInt8],
        against reference: (location: String, record: PartRecord, parameterSets: [UInt8])
    ) throws(AVError) {
        func foreign(_ what: String) -> AVError {
            AVError(
                .invalidArgument, at: file.location,
                reason: "it is a part of another export than “\(reference.location)”: \(what)",
                suggestion: "Name the parts of one export, or render this part again")
        }
        let (record, other) = (file.record, reference.record)
        if record.source != other.source { throw foreign("the sources differ") }
        if record.count != other.count {
            throw foreign("it is one of \(record.count) parts, not of \(other.count)")
        }
        if record.settings != other.settings { throw foreign("the settings differ") }
        if let own = record.video, let first = other.video, (own.width, own.height) != (first.width, first.height) {
            throw foreign("its frames have \(own.width)×\(own.height) pixels, not \(first.width)×\(first.height)")
        }
        if !sets.isEmpty, !reference.parameterSets.isEmpty, sets != reference.parameterSets {
            throw foreign("another version of the encoder made it")
        }
    }

    private static func missing(_ numbers: [Int], of count: Int, at location: String) -> AVError {
        let shown = numbers.prefix(20).map(String.init)
        let rest = numbers.count > shown.count ? " and \(numbers.count - shown.count) more" : ""
        let (noun, verb) = numbers.count == 1 ? ("part", "is") : ("parts", "are")
        return AVError(
            .invalidArgument, at: location,
            reason: "\(noun) \(shown.joined(separator: ", "))\(rest) of \(count) \(verb) missing",
            suggestion: "Render what is missing with `zoetrope render --part`, and name it too")
    }
}
