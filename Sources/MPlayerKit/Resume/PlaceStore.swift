import GRDB
import Synchronization
import Zoetrope

/// Places in sources, in a database of the user's. A write is whole or not there, whatever ends the process. What goes
/// wrong is logged, and nothing is kept then. Any thread.
final class PlaceStore: Sendable {
    struct Place: Equatable, Sendable {
        /// Seconds from the beginning.
        var seconds: Double
        /// Of the whole, seconds.
        var duration: Double
    }
    /// The newest are kept.
    static let most = 5000
    private let queue: DatabaseQueue?
    private static let logger = Logger(subsystem: "MPlayerKit", category: "PlaceStore")

    private static let open = Mutex<[URL: PlaceStore]>([:])
    /// One connection for each file.
    static func shared(at file: URL) -> PlaceStore {
        open.withLock { stores in
            if let known = stores[file] { return known }
            let fresh = PlaceStore(file)
            stores[file] = fresh
            return fresh
        }
    }

    private init(_ file: URL) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            queue = try PlaceStore.connect(file)
        } catch let error as DatabaseError where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            // Broken for good: places are not worth more than beginning anew.
            PlaceStore.logger.warning(
                "The playback positions in “\(file.path)” can't be read: \(error.message ?? "the file is not a database"). The file was renamed to “\(file.lastPathComponent).broken”, and a new one is used."
            )
            let aside = file.appendingPathExtension("broken")
            try? FileManager.default.removeItem(at: aside)
            try? FileManager.default.moveItem(at: file, to: aside)
            queue = try? PlaceStore.connect(file)
        } catch {
            PlaceStore.logger.warning(
                "Playback positions can't be stored in “\(file.path)”: \(error). Make the folder writable, or set another file in PlaybackResume."
            )
            queue = nil
        }
    }

    private static func connect(_ file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        // Another process of the app may be writing.
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
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

    private static func name(_ source: URL) -> String {
        source.isFileURL ? source.standardizedFileURL.path : source.absoluteString
    }

    func place(of source: URL) async -> Place? {
        await logged {
            try await self.queue?.read { database in
                guard
                    let row = try Row.fetchOne(
                        database, sql: "SELECT seconds, duration FROM place WHERE source = ?",
                        arguments: [PlaceStore.name(source)]),
                    let seconds: Double = row["seconds"], let duration: Double = row["duration"], seconds.isFinite,
                    duration.isFinite, seconds >= 0
                else { return nil }
                return Place(seconds: seconds, duration: duration)
            }
        } ?? nil
    }

    /// Kept soon, in the order of the calls; `done` when it is on the disk, on some thread.
    func keep(_ place: Place?, of source: URL, done: (@Sendable () -> Void)? = nil) {
        guard let queue else {
            done?()
            return
        }
        queue.asyncWrite(
            { database in
                guard let place else {
                    return try database.execute(
                        sql: "DELETE FROM place WHERE source = ?", arguments: [PlaceStore.name(source)])
                }
                try database.execute(
                    sql: "INSERT OR REPLACE INTO place (source, seconds, duration, left) VALUES (?, ?, ?, ?)",
                    arguments: [PlaceStore.name(source), place.seconds, place.duration, Date().timeIntervalSince1970])
                try database.execute(
                    sql:
                        "DELETE FROM place WHERE source IN (SELECT source FROM place ORDER BY left DESC LIMIT -1 OFFSET ?)",
                    arguments: [PlaceStore.most])
            },
            completion: { _, result in
                if case .failure(let error) = result {
                    PlaceStore.logger.warning("Can't store the playback position of “\(source.location)”: \(error)")
                }
                done?()
            })
    }

    func forget(_ source: URL) async {
        await withCheckedContinuation { continuation in keep(nil, of: source) { continuation.resume() } }
    }
    func forgetAll() async {
        _ = await logged { try await self.queue?.write { try $0.execute(sql: "DELETE FROM place") } }
    }

    private func logged<T: Sendable>(_ body: () async throws -> T) async -> T? {
        do { return try await body() } catch {
            PlaceStore.logger.warning("Can't read the playback positions: \(error)")
            return nil
        }
    }
}
