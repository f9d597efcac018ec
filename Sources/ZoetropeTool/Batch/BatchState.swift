import Export
import Foundation
import MediaCore
import Synchronization

/// The records of a batch: a folder with one file of JSON lines for each process that has worked on the batch.
///
/// Several processes on several machines can write at the same time without a lock, because each writes to its own
/// file.
final class BatchState: Sendable {
    /// The recorded state of a unit.
    struct Known: Sendable {
        /// The result of the last finished run; nil if a later run has failed.
        var finished: Finished?
        /// The reason why the last run failed; nil if the last run has not failed.
        var error: String?
        /// The number of runs that started but never ended, because the process was killed.
        var killCount = 0
    }
    struct Finished: Sendable {
        var bytes: Int64?
        var source: String?
        var files: String?
    }

    let folder: FilePath
    private let file = Mutex<Int32>(-1)
    private let lockFiles = Mutex<[Int32]>([])
    private let slice: String

    /// Creates the records, and their folder if it does not exist.
    init(_ folder: URL, slice: SliceArgument?) throws {
        guard let path = FilePath(folder) else { throw ToolFailure(.usage, "The state folder has no valid name.") }
        self.folder = path
        self.slice = slice.map { "\($0.number)-of-\($0.count)" } ?? "all"
        guard path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
            throw PartialFile.error(errno, at: path.description)
        }
    }

    deinit { for file in [file.withLock { $0 }] + lockFiles.withLock({ $0 }) where file >= 0 { close(file) } }

    /// Locks the list until this object is released or the process ends, so that no two runs do the same jobs.
    ///
    /// On a file system without locks, the call has no effect.
    /// - Parameter isShared: Whether other runs may share the lock, because each run does other jobs.
    /// - Throws: A failure if another run has the lock and one of the two does not share it.
    func lock(isShared: Bool) throws(ToolFailure) {
        try lock(
            "lock", isShared: isShared, doing: "is working on this list",
            advice: "To work on the list in several processes, run each with its own --slice. ")
    }

    /// Locks the submission to Slurm until this object is released or the process ends, so that no two processes submit
    /// the same tasks. On a file system without locks, the call has no effect.
    /// - Throws: A failure if another process has the lock.
    func lockSubmission() throws(ToolFailure) {
        try lock("submission-lock", isShared: false, doing: "has submitted this list to Slurm and watches it")
    }

    private func lock(_ name: String, isShared: Bool, doing: String, advice: String = "") throws(ToolFailure) {
        let path = folder.appending(Array(name.utf8))
        // On a network file system, an exclusive lock needs a file that is open for writing.
        let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { return }
        if flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            let owner = (try? path.contents(limit: 1 << 10, kind: "a lock")).map { String(decoding: $0, as: UTF8.self) }
            let name = owner.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
            throw ToolFailure(
                .failed,
                "Another zoetrope batch\(name) \(doing): it has locked “\(path.description)”. Wait until it ends. \(advice)If no such process exists, because its computer has failed, delete that file."
            )
        }
        lockFiles.withLock { $0.append(descriptor) }
        // Only the name of a single owner is useful.
        let owner = isShared ? "" : "process \(getpid()) on \(BatchState.machine)"
        guard ftruncate(descriptor, 0) == 0 else { return }
        owner.withCString { _ = pwrite(descriptor, $0, owner.utf8.count, 0) }
    }

    /// The name of this computer.
    private static var machine: String {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        return host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    // MARK: writing

    /// Appends a line to the file of this process, and creates the file for the first line.
    func append(_ line: String) throws(ToolFailure) {
        let code = file.withLock { file -> Int32 in
            if file < 0 {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                let time = String(format: "%012ld-%09ld", now.tv_sec, now.tv_nsec)
                let name = "run-\(time)-\(slice)-\(BatchState.machine)-\(getpid()).jsonl"
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

    /// Returns the path at which a part of a job is stored until it is joined, and creates the folders for it.
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

    /// Removes the parts of a job that has been joined.
    func removeParts(of job: BatchPlan.Job) {
        let own = folder.appending(Array("parts".utf8)).appending(Array(job.id.utf8))
        for name in own.names { own.appending(name).withCString { _ = unlink($0) } }
        own.withCString { _ = rmdir($0) }
    }
}

extension FilePath {
    /// The names in the folder at this path, without `.` and `..`. Names need not be UTF-8.
    var names: [[UInt8]] {
        guard let handle = withCString({ opendir($0) }) else { return [] }
        defer { closedir(handle) }
        var names: [[UInt8]] = []
        while let entry = readdir(handle) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        }
        return names.filter { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
    }
}
