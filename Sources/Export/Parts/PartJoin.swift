import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// A join of the parts of an export into one file.
///
/// Encoded frames are copied. Audio is copied, or encoded once from the samples in the parts. An audio encoder carries
/// state from packet to packet, so separately encoded parts would not fit together. Call `run` once.
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

    /// - Parameter parts: The files of the parts, in any order.
    package init(_ parts: [URL], to target: URL, replaces: Bool) {
        self.parts = parts
        self.target = target
        self.replaces = replaces
    }

    /// Cancels the join. `run` then throws `.cancelled`. Callable on any thread.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Joins the parts and returns when the file has its final name. Blocks the calling thread.
    /// - Throws: `.invalidArgument` if parts are missing, repeated or from another export. The errors of an export. No
    ///   partial file remains.
    package func run() throws(AVError) -> Report {
        let set = try PartSet(parts, joinedAt: target)
        let file = try PartialFile(beside: target, replaces: replaces)
        do throws(AVError) {
            // Without this, exceeding a file size limit (SIGXFSZ) would end the process instead of failing the write.
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
        }
        try writer.finish()
        return Report(parts: set.files.count, pictures: writer.pictures, seconds: writer.seconds)
    }
}
