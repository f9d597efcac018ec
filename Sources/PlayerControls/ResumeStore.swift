import Foundation
import GRDB
import MediaCore
import Synchronization

/// A store of the positions at which the user left items. The positions are kept between runs of the program.
///
/// ```swift
/// let store = ResumeStore.shared(at: file) { print($0) }
/// if let seconds = await store.position(of: url) {
///     await player.seek(to: CMTime(seconds: seconds, preferredTimescale: 600))
/// }
/// ```
/// The store is an SQLite file. A write is carried out completely or not at all, even if the process ends, and several
/// processes can use the same file. Any thread.
public final class ResumeStore: Sendable {
    /// The maximum number of positions. If there are more, the oldest are deleted.
    public static let capacity = 5000
    /// The smallest position that is kept, in seconds. An earlier position counts as not started.
    public static let minimumPosition = 5.0
    /// The remaining time below which an item counts as watched to the end, in seconds. In items of less than 100 s, a
    /// tenth of the duration is used instead.
    public static let remainder = 10.0

    private let queue: DatabaseQueue?
    private let report: @Sendable (String) -> Void
    private static let open = Mutex<[URL: ResumeStore]>([:])

    /// Returns the store in a file. All callers in a process share one connection to it.
    ///
    /// If the file is not a readable database, it is renamed to `NAME.broken`, and a new one is created. If it can't be
    /// renamed or no file can be created, nothing is stored.
    /// - Parameters:
    ///   - file: The file. If its folder is missing, it is created with access for the user only.
    ///   - report: Receives a sentence about each failure, on any thread. Only the first caller's closure is used.
    public static func shared(at file: URL, report: @escaping @Sendable (String) -> Void = { _ in }) -> ResumeStore {
        open.withLock { stores in
            if let known = stores[file] { return known }
            let fresh = ResumeStore(file, report)
            stores[file] = fresh
            return fresh
        }
    }

    private init(_ file: URL, _ report: @escaping @Sendable (String) -> Void) {
        self.report = report
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            queue = try ResumeStore.connectOrReplace(file, report)
        } catch {
            report("Playback positions can't be stored in “\(file.path)”: \(error). Make the folder writable.")
            queue = nil
        }
    }

    /// Connects to the file. If it is not a readable database, renames it and creates a new one. Returns nil after a
    /// failure to rename it, which is reported.
    private static func connectOrReplace(
        _ file: URL, _ report: @Sendable (String) -> Void
    ) throws -> DatabaseQueue? {
        do {
            return try connect(file)
        } catch let error as DatabaseError where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            let problem =
                "The playback positions in “\(file.path)” can't be read: \(error.message ?? "the file is not a database")."
            let brokenFile = file.appendingPathExtension("broken")
            do {
                try? FileManager.default.removeItem(at: brokenFile)
                try FileManager.default.moveItem(at: file, to: brokenFile)
            } catch {
                report(
                    "\(problem) The file can't be renamed to “\(brokenFile.lastPathComponent)”: \(error.localizedDescription) No positions are stored. Delete the file."
                )
                return nil
            }
            report("\(problem) The file was renamed to “\(brokenFile.lastPathComponent)”, and a new one is used.")
            return try connect(file)
        }
    }

    private static func connect(_ file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        // Another process may be writing.
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase {
            // Deleted names are overwritten, because they show what the user has watched.
            try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        // SQLite creates its write-ahead log with the same permissions.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("places") { database in
            try database.create(table: "place") { table in
                table.primaryKey("source", .text)
                table.column("seconds", .double).notNull()
                table.column("duration", .double).notNull()
                table.column("left", .double).notNull().indexed()
            }
        }
        try migrator.migrate(queue)
        return queue
    }

    /// Returns the name of a source in the database. User names and passwords are not stored.
    private static func name(_ source: URL) -> String {
        guard source.isFileURL else { return source.withoutCredentials.absoluteString }
        let path = source.standardizedFileURL.path
        // `URL.path` is empty if the file's name is not UTF-8.
        return path.isEmpty ? source.location : path
    }

    /// Returns whether a position is worth keeping: neither near the start nor near the end.
    /// - Parameters:
    ///   - seconds: The position, in seconds.
    ///   - duration: The duration of the item, in seconds.
    public static func isWorthKeeping(_ seconds: Double, duration: Double) -> Bool {
        seconds.isFinite && duration.isFinite && seconds >= minimumPosition
            && seconds <= duration - min(remainder, duration / 10)
    }

    /// Returns the position at which a source was left, in seconds; nil if none is stored, or if it can't be read,
    /// which is reported.
    public func position(of source: URL) async -> TimeInterval? {
        do {
            return try await queue?.read { try ResumeStore.position(of: source, in: $0) }
        } catch {
            report("Can't read the playback positions: \(error)")
            return nil
        }
    }

    /// Returns the same as `position(of:)` without suspending the caller. Blocks the thread while the file is read.
    package func positionNow(of source: URL) -> TimeInterval? {
        do {
            return try queue?.read { try ResumeStore.position(of: source, in: $0) }
        } catch {
            report("Can't read the playback positions: \(error)")
            return nil
        }
    }

    private static func position(of source: URL, in database: Database) throws -> TimeInterval? {
        let row = try Row.fetchOne(
            database, sql: "SELECT seconds FROM place WHERE source = ?", arguments: [name(source)])
        guard let seconds: Double = row?["seconds"], seconds.isFinite, seconds >= 0 else { return nil }
        return seconds
    }

    /// Stores the position of a source, or deletes it if it is not worth keeping.
    ///
    /// ```swift
    /// if let seconds = control.position, let duration = control.duration {
    ///     store.store(seconds, duration: duration, of: url)
    /// }
    /// ```
    /// The method returns at once. Writes are carried out in the order of the calls.
    /// - Parameters:
    ///   - seconds: The position in seconds; nil if the item was watched to its end.
    ///   - duration: The duration of the item, in seconds.
    ///   - source: The source.
    ///   - done: Called on any thread when the change is in the file, or after a failure has been reported. A power
    ///     failure shortly afterwards may still undo the change.
    public func store(
        _ seconds: TimeInterval?, duration: TimeInterval, of source: URL, done: (@Sendable () -> Void)? = nil
    ) {
        guard let seconds, ResumeStore.isWorthKeeping(seconds, duration: duration) else {
            return write(done) {
                try $0.execute(sql: "DELETE FROM place WHERE source = ?", arguments: [ResumeStore.name(source)])
            }
        }
        let storedTime = Date().timeIntervalSince1970
        write(done) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO place (source, seconds, duration, left) VALUES (?, ?, ?, ?)",
                arguments: [ResumeStore.name(source), seconds, duration, storedTime])
            try database.execute(
                sql:
                    "DELETE FROM place WHERE source IN (SELECT source FROM place ORDER BY left DESC LIMIT -1 OFFSET ?)",
                arguments: [ResumeStore.capacity])
        }
    }

    /// Deletes the position of a source. Returns when it is no longer on the disk, or after a failure has been
    /// reported.
    public func remove(_ source: URL) async {
        await withCheckedContinuation { continuation in
            erase({ continuation.resume() }) {
                try $0.execute(sql: "DELETE FROM place WHERE source = ?", arguments: [ResumeStore.name(source)])
            }
        }
    }

    /// Deletes all positions. Returns when they are no longer on the disk, or after a failure has been reported.
    public func removeAll() async {
        await withCheckedContinuation { continuation in removeAll { continuation.resume() } }
    }
    package func removeAll(_ done: (@Sendable () -> Void)?) {
        erase(done) { try $0.execute(sql: "DELETE FROM place") }
    }

    /// Runs `deletion`, and removes what it deleted from the files too.
    private func erase(_ done: (@Sendable () -> Void)?, _ deletion: @escaping @Sendable (Database) throws -> Void) {
        guard let queue else {
            done?()
            return
        }
        queue.asyncWriteWithoutTransaction { [report] database in
            do {
                try deletion(database)
                // The write-ahead log still contains the deleted positions.
                try database.checkpoint(.truncate)
            } catch { report("Can't delete the playback positions: \(error)") }
            done?()
        }
    }

    /// Blocks the thread until everything that was stored before is in the file.
    package func flush() {
        do { try queue?.write { _ in } } catch { report("Can't store a playback position: \(error)") }
    }

    private func write(_ done: (@Sendable () -> Void)?, _ updates: @escaping @Sendable (Database) throws -> Void) {
        guard let queue else {
            done?()
            return
        }
        queue.asyncWrite(updates) { [report] _, result in
            if case .failure(let error) = result { report("Can't store a playback position: \(error)") }
            done?()
        }
    }
}
