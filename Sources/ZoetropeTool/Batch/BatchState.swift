import Export
import Foundation
import MediaCore
import Synchronization

/// The records of a batch: a folder with one file of JSON lines for each process that has worked on it. Several
/// processes on several machines write at once without a lock, because each has a file of its own.
final class BatchState: Sendable {
    /// What is known of a unit.
    struct Known: Sendable {
        /// The last finished run.
        var finished: Finished?
        /// Why the last run failed; nil if none failed after the last finished one.
        var error: String?
        /// How often a run began and did not end: the process was killed.
        var broken = 0
    }
    struct Finished: Sendable {
        var bytes: Int64?
        var source: String?
    }

    let folder: FilePath
    private let file = Mutex<Int32>(-1)
    private let slice: String

    /// Makes the folder if it does not exist.
    init(_ folder: URL, slice: SliceArgument?) throws {
        guard let path = FilePath(folder) else { throw ToolFailure(.usage, "The state folder has no valid name.") }
        self.folder = path
        self.slice = slice.map { "\($0.number)-of-\($0.count)" } ?? "all"
        guard path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
            throw PartialFile.error(errno, at: path.description)
        }
    }

    deinit { file.withLock { if $0 >= 0 { close($0) } } }

    /// All that the records say.
    func known() -> [String: Known] {
        let records = BatchRecords(folder)
        records.update()
        return records.known
    }

    // MARK: writing

    /// Appends a line to the file of this process.
    func append(_ line: String) throws(ToolFailure) {
        let code = file.withLock { file -> Int32 in
            if file < 0 {
                var host = [CChar](repeating: 0, count: 256)
                gethostname(&host, host.count - 1)
                let machine = host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                let time = String(format: "%012d-%09d", now.tv_sec, now.tv_nsec)
                let name = "run-\(time)-\(slice)-\(machine)-\(getpid()).jsonl"
                file = folder.appending(Array(name.utf8)).withCString {
                    open($0, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
                }
                guard file >= 0 else { return errno }
            }
            let bytes = Array((line + "\n").utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                sent += count
            }
            return 0
        }
        guard code == 0 else { throw ToolFailure(.failed, "\(PartialFile.error(code, at: folder.description))") }
    }

    // MARK: parts

    /// Where a part of a job is written until it is joined.
    func part(_ number: Int, of job: BatchPlan.Job, pathExtension: String) throws -> FilePath {
        let parts = folder.appending(Array("parts".utf8))
        let own = parts.appending(Array(job.id.utf8))
        for path in [parts, own] {
            guard path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
                throw PartialFile.error(errno, at: path.description)
            }
        }
        return own.appending(Array("\(number)-of-\(job.parts).\(pathExtension)".utf8))
    }

    /// Removes the parts of a job, which are joined.
    func removeParts(of job: BatchPlan.Job) {
        let own = folder.appending(Array("parts".utf8)).appending(Array(job.id.utf8))
        try? FileManager.default.removeItem(at: own.url)
    }
}
