import CFFmpeg
import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// Joins the parts of an export. Pictures are copied as they are encoded. Sound is copied, or encoded once, from the
/// samples that the parts hold: an encoder carries state from packet to packet, so that parts that were encoded by
/// themselves would not fit together. Call `run` once.
package final class PartJoin: Sendable {
    package struct Report: Sendable {
        package var parts = 0
        package var pictures = 0
        package var seconds = 0.0
    }

    private let parts: [URL]
    private let target: URL
    private let replaces: Bool
    private let isCancelled = Atomic<Bool>(false)
    private let done = Atomic<Int>(0)

    /// - Parameter parts: in any order.
    package init(_ parts: [URL], to target: URL, replaces: Bool) {
        self.parts = parts
        self.target = target
        self.replaces = replaces
    }

    /// How many parts have been written.
    package var joinedParts: Int { done.load(ordering: .relaxed) }

    /// `run` throws `.cancelled` soon. Any thread.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Blocks until the file has its name, or nothing of it is left.
    /// - Throws: `.invalidArgument` for parts that are missing, given twice or foreign, and as an export.
    package func run() throws(AVError) -> Report {
        let set = try PartSet(parts, joinedAt: target)
        let file = try PartialFile(beside: target, replaces: replaces)
        do throws(AVError) {
            // A limit on the size of files is an error, not the end of the process.
            let result = BlockedSignals.during { () -> Result<Report, AVError> in
                do throws(AVError) { return .success(try write(set, file)) } catch { return .failure(error) }
            }
            let report = try result.get()
            try file.commit()
            return report
        } catch {
            file.discard()
            throw error
        }
    }

    private func write(_ set: PartSet, _ file: PartialFile) throws(AVError) -> Report {
        let writer = try JoinWriter(set, path: file.path, target: file.target)
        for url in set.files {
            let part = try PartFile(url)
            try writer.begin(part)
            try part.read { packet throws(AVError) in
                if isCancelled.load(ordering: .relaxed) {
                    throw AVError(.cancelled, at: target.location, reason: "the join was cancelled")
                }
                try writer.take(packet)
            }
            try writer.endPart()
            done.add(1, ordering: .relaxed)
        }
        try writer.finish()
        return Report(parts: set.files.count, pictures: writer.pictures, seconds: writer.seconds)
    }
}
