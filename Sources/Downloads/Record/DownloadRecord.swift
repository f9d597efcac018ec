import Foundation
import GRDB
import GRDBSQLite
import MediaCore

/// The database of a library's downloads (SQLite). Each write is complete or has no effect, even if the process
/// crashes.
///
/// Any number of processes may read. In each process, only `DownloadActor` writes. A process writes requests for any
/// download, and progress only for packages that it has locked.
final class DownloadRecord: Sendable {
    let queue: DatabaseQueue
    let path: String

    /// Whether the initializer scrubbed a database that an older version of Zoetrope created.
    let isScrubbed: Bool

    /// Opens the database at a URL.
    ///
    /// - Throws: `.record` if the file is not a database or was written by a newer version; `.damaged` if it is a
    ///   symbolic link; `.disk`; `.diskFull`.
    convenience init(at file: URL) throws(DownloadError) {
        try self.init(in: DiskRoot(file.deletingLastPathComponent().path, creates: false))
    }

    /// Opens the database of a library, or creates it.
    init(in library: DiskRoot) throws(DownloadError) {
        let file = library.appending(PackageNames.database)
        path = file.path
        // SQLite does not wait if two processes create the database at the same time.
        let opening = try FolderLock.wait(library.appending(PackageNames.database + PackageNames.lock))
        defer { withExtendedLifetime(opening) {} }
        try DownloadRecord.makePrivate(library)
        var opened: DatabaseQueue?
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.label = "zt-downloads"
            configuration.prepareDatabase { [path] database in
                do {
                    // FULL keeps recorded resources even after a power failure.
                    try database.execute(
                        sql:
                            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON"
                    )
                } catch {
                    throw DownloadError.record(
                        error, system: sqlite3_system_errno(database.sqliteConnection), at: path)
                }
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            self.queue = queue
            opened = queue
            let migrator = DownloadRecord.migrator
            if try queue.read({ try migrator.hasBeenSuperseded($0) }) {
                throw DownloadError(
                    .record, at: path, reason: "the download database was written by a newer version",
                    suggestion: "Update this program")
            }
            let isOld = try queue.read {
                try $0.tableExists("download") && Int.fetchOne($0, sql: "PRAGMA user_version") == 0
            }
            try migrator.migrate(queue)
            isScrubbed = isOld
            DownloadRecord.scrub(queue, isOld: isOld)
        } catch {
            throw DownloadRecord.failure(error, of: opened, at: path)
        }
    }

    /// Returns the error for a failed operation of `queue`.
    private static func failure(_ error: any Error, of queue: DatabaseQueue?, at path: String) -> DownloadError {
        // After an I/O error, SQLite keeps the value of `errno` until the next one.
        let system = queue?.unsafeRead { sqlite3_system_errno($0.sqliteConnection) } ?? 0
        return .record(error, system: system, at: path)
    }

    /// Creates the database file if necessary, and restricts access to the existing files to their owner. SQLite would
    /// use the user's default permissions, and would follow symbolic links.
    private static func makePrivate(_ library: DiskRoot) throws(DownloadError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let file = library.appending(PackageNames.database + suffix)
            let info = try file.status()
            if info == nil, !suffix.isEmpty { continue }
            // Closing a file descriptor releases the locks that SQLite holds on the file, so open the file only if
            // necessary.
            if let info, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o077 == 0, info.st_nlink == 1 { continue }
            _ = try DiskFile.Handle(file)
        }
    }

    /// Removes old data, such as passwords that older versions stored, from free pages and from the log. After a
    /// failure, the next opening tries again.
    private static func scrub(_ queue: DatabaseQueue, isOld: Bool) {
        try? queue.writeWithoutTransaction { database in
            guard try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 else { return }
            if isOld { try database.execute(sql: "VACUUM") }
            try database.execute(sql: "PRAGMA user_version = 1")
            if isOld { _ = try database.checkpoint(.truncate) }
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { database in
            try database.execute(
                sql: """
                    CREATE TABLE package (
                        id INTEGER PRIMARY KEY, asset TEXT NOT NULL UNIQUE, folder TEXT NOT NULL UNIQUE, source TEXT NOT NULL, title TEXT NOT NULL,
                        created REAL NOT NULL, finished REAL, played REAL, expires REAL, protected INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);
                    CREATE TABLE download (
                        id TEXT PRIMARY KEY, package INTEGER NOT NULL REFERENCES package(id) ON DELETE CASCADE, url TEXT NOT NULL, options TEXT NOT NULL,
                        wish TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0, failure TEXT, added REAL NOT NULL, place REAL NOT NULL,
                        bytes INTEGER NOT NULL DEFAULT 0, expectedBytes INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
                        expectedSeconds REAL NOT NULL DEFAULT 0, session TEXT NOT NULL DEFAULT '', note TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
                    CREATE INDEX download_package ON download(package);
                    CREATE TABLE rendition (
                        id INTEGER PRIMARY KEY, package INTEGER NOT NULL REFERENCES package(id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
                        url TEXT NOT NULL, others TEXT NOT NULL, tag TEXT NOT NULL, bitRate REAL NOT NULL, playlist TEXT, playlistURL TEXT,
                        variables TEXT NOT NULL, complete INTEGER NOT NULL DEFAULT 0, UNIQUE(package, name));
                    CREATE TABLE choice (
                        download TEXT NOT NULL REFERENCES download(id) ON DELETE CASCADE, rendition INTEGER NOT NULL REFERENCES rendition(id) ON DELETE CASCADE,
                        PRIMARY KEY(download, rendition)) WITHOUT ROWID;
                    CREATE INDEX choice_rendition ON choice(rendition);
                    CREATE TABLE resource (
                        rendition INTEGER NOT NULL REFERENCES rendition(id) ON DELETE CASCADE, kind INTEGER NOT NULL, number INTEGER NOT NULL,
                        file TEXT NOT NULL, length INTEGER NOT NULL, digest BLOB NOT NULL, complete INTEGER NOT NULL, validator TEXT NOT NULL,
                        PRIMARY KEY(rendition, kind, number)) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("without credentials") { database in
            try database.execute(sql: "ALTER TABLE download ADD COLUMN needs TEXT NOT NULL DEFAULT ''")
            try database.takeCredentials()
        }
        return migrator
    }

    func read<T>(_ body: (Database) throws -> T) throws(DownloadError) -> T {
        do { return try queue.read(body) } catch { throw DownloadRecord.failure(error, of: queue, at: path) }
    }

    /// Returns a second connection, whose reads do not wait for the writes of this process. A write waits for the disk.
    func reader() throws(DownloadError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "zt-downloads"
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw DownloadError.record(error, at: path)
        }
    }

    /// Writes in a transaction, which is complete or has no effect.
    func write<T>(_ body: (Database) throws -> T) throws(DownloadError) -> T {
        do { return try queue.write(body) } catch { throw DownloadRecord.failure(error, of: queue, at: path) }
    }

    /// A number that changes when another process has written.
    var foreignVersion: Int64 { (try? queue.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }) ?? 0 }
}

extension Database {
    // MARK: packages

    func packages(where condition: String = "1", _ arguments: StatementArguments = []) throws -> [PackageRow] {
        try Row.fetchAll(self, sql: "SELECT * FROM package WHERE \(condition)", arguments: arguments).compactMap {
            row -> PackageRow? in
            guard let source = URL(string: row["source"]) else { return PackageRow?.none }
            return PackageRow(
                id: row["id"], asset: row["asset"], folder: row["folder"], source: source, title: row["title"],
                created: Date(stored: row["created"]),
                finished: (row["finished"] as Double?).map { Date(stored: $0) },
                played: (row["played"] as Double?).map { Date(stored: $0) },
                expires: (row["expires"] as Double?).map { Date(stored: $0) }, isProtected: row["protected"],
                bytes: row["bytes"])
        }
    }
    func package(_ id: Int64) throws -> PackageRow? { try packages(where: "id = ?", [id]).first }

    func insertPackage(asset: String, folder: String, source: URL, title: String) throws -> Int64 {
        try execute(
            sql: "INSERT INTO package (asset, folder, source, title, created) VALUES (?, ?, ?, ?, ?)",
            arguments: [asset, folder, source.absoluteString, title, Date().timeIntervalSince1970])
        return lastInsertedRowID
    }

    // MARK: downloads

    func downloads(where condition: String = "1", _ arguments: StatementArguments = []) throws -> [DownloadRow] {
        let decoder = JSONDecoder()
        var known: [String: DownloadOptions] = [:]
        return try Row.fetchAll(
            self, sql: "SELECT * FROM download WHERE \(condition) ORDER BY place, added", arguments: arguments
        ).compactMap { row in
            guard let id = UUID(uuidString: row["id"]), let url = URL(string: row["url"]),
                let requestedState = DownloadRow.RequestedState(rawValue: row["wish"])
            else { return nil }
            let needs = try? decoder.decode(DownloadCredentials.Needs.self, from: Data((row["needs"] as String).utf8))
            // Many downloads have the same options, so decode each text only once.
            let text: String = row["options"]
            let options =
                known[text] ?? (try? decoder.decode(DownloadOptions.self, from: Data(text.utf8))) ?? DownloadOptions()
            known[text] = options
            var progress = DownloadProgress()
            (progress.bytes, progress.expectedBytes, progress.seconds, progress.expectedSeconds) = (
                row["bytes"], row["expectedBytes"], row["seconds"], row["expectedSeconds"]
            )
            let failure = (row["failure"] as String?).flatMap {
                try? decoder.decode(DownloadError.self, from: Data($0.utf8))
            }
            return DownloadRow(
                id: id, package: row["package"], url: url, options: options,
                needs: needs ?? DownloadCredentials.Needs(), requestedState: requestedState,
                isFinished: row["finished"], failure: failure,
                added: Date(stored: row["added"]), place: row["place"], progress: progress, session: row["session"],
                note: row["note"])
        }
    }
    func download(_ id: UUID) throws -> DownloadRow? { try downloads(where: "id = ?", [id.uuidString]).first }

    func store(_ row: DownloadRow) throws {
        let needs = row.needs.isEmpty ? "" : String(decoding: try JSONEncoder.sorted.encode(row.needs), as: UTF8.self)
        let failure = try row.failure.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try execute(
            sql: """
                INSERT INTO download (id, package, url, options, needs, wish, finished, failure, added, place, bytes, expectedBytes, seconds, expectedSeconds, session, note)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(id) DO UPDATE SET package = excluded.package, url = excluded.url, options = excluded.options,
                    needs = excluded.needs, wish = excluded.wish,
                    finished = excluded.finished, failure = excluded.failure, place = excluded.place, bytes = excluded.bytes,
                    expectedBytes = excluded.expectedBytes, seconds = excluded.seconds, expectedSeconds = excluded.expectedSeconds,
                    session = excluded.session, note = excluded.note
                """,
            arguments: [
                row.id.uuidString, row.package, row.url.absoluteString,
                String(decoding: try JSONEncoder.sorted.encode(row.options), as: UTF8.self), needs,
                row.requestedState.rawValue,
                row.isFinished, failure, row.added.timeIntervalSince1970, row.place, row.progress.bytes,
                row.progress.expectedBytes,
                row.progress.seconds, row.progress.expectedSeconds, row.session, row.note,
            ])
    }

    /// Stores the progress of a running download, and never its requested state, which another process may have
    /// changed.
    func storeState(_ row: DownloadRow) throws {
        let failure = try row.failure.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try execute(
            sql:
                "UPDATE download SET finished = ?, failure = ?, bytes = ?, expectedBytes = ?, seconds = ?, expectedSeconds = ? WHERE id = ?",
            arguments: [
                row.isFinished, failure, row.progress.bytes, row.progress.expectedBytes, row.progress.seconds,
                row.progress.expectedSeconds, row.id.uuidString,
            ])
    }

    func setRequestedState(_ requestedState: DownloadRow.RequestedState, of id: UUID) throws {
        try execute(
            sql: "UPDATE download SET wish = ? WHERE id = ?", arguments: [requestedState.rawValue, id.uuidString])
    }

    // MARK: renditions

    func renditions(where condition: String, _ arguments: StatementArguments) throws -> [RenditionRow] {
        let decoder = JSONDecoder()
        return try Row.fetchAll(
            self, sql: "SELECT * FROM rendition WHERE \(condition) ORDER BY id", arguments: arguments
        ).compactMap { row in
            guard let kind = RenditionKind(rawValue: row["kind"]), let url = URL(string: row["url"]) else { return nil }
            let others = (try? decoder.decode([URL].self, from: Data((row["others"] as String).utf8))) ?? []
            let variables =
                (try? decoder.decode([String: String].self, from: Data((row["variables"] as String).utf8))) ?? [:]
            return RenditionRow(
                id: row["id"], package: row["package"], kind: kind, name: row["name"], url: url, others: others,
                tag: row["tag"], bitRate: row["bitRate"],
                playlist: row["playlist"], playlistURL: (row["playlistURL"] as String?).flatMap { URL(string: $0) },
                variables: variables, isComplete: row["complete"])
        }
    }
    func renditions(of download: UUID) throws -> [RenditionRow] {
        try renditions(where: "id IN (SELECT rendition FROM choice WHERE download = ?)", [download.uuidString])
    }

    /// Records that the download loads a rendition, and adds the rendition to the package if necessary. An existing
    /// rendition gets the new URL.
    func choose(_ chosen: RenditionChoice.Chosen, variables: [String: String], package: Int64, download: UUID) throws {
        let others = String(decoding: try JSONEncoder().encode(chosen.others), as: UTF8.self)
        let variables = String(decoding: try JSONEncoder().encode(variables), as: UTF8.self)
        try execute(
            sql: """
                INSERT INTO rendition (package, kind, name, url, others, tag, bitRate, variables) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(package, name) DO UPDATE SET url = excluded.url, others = excluded.others, variables = excluded.variables
                """,
            arguments: [
                package, chosen.kind.rawValue, chosen.name, chosen.url.absoluteString, others, chosen.tag,
                chosen.bitRate, variables,
            ])
        try execute(
            sql:
                "INSERT OR IGNORE INTO choice (download, rendition) SELECT ?, id FROM rendition WHERE package = ? AND name = ?",
            arguments: [download.uuidString, package, chosen.name])
    }

    func setPlaylist(_ text: String, from url: URL, of rendition: Int64) throws {
        try execute(
            sql: "UPDATE rendition SET playlist = ?, playlistURL = ? WHERE id = ?",
            arguments: [text, url.absoluteString, rendition])
    }

    // MARK: resources

    func resources(of rendition: Int64, completeOnly: Bool = false) throws -> [ResourceRow] {
        let statement = try cachedStatement(
            sql: "SELECT kind, number, file, length, digest, complete, validator FROM resource WHERE rendition = ?"
                + (completeOnly ? " AND complete = 1" : ""))
        let rows = try Row.fetchCursor(statement, arguments: [rendition])
        var result: [ResourceRow] = []
        while let row = try rows.next() {
            guard let kind = PlanItem.Kind(rawValue: row[0]) else { continue }
            result.append(
                ResourceRow(
                    rendition: rendition, kind: kind, number: row[1], file: row[2], length: row[3],
                    digest: ContentDigest(stored: row[4]), isComplete: row[5], validator: row[6]))
        }
        return result
    }

    func store(_ row: ResourceRow) throws {
        let statement = try cachedStatement(
            sql:
                "INSERT OR REPLACE INTO resource (rendition, kind, number, file, length, digest, complete, validator) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        try statement.execute(arguments: [
            row.rendition, row.kind.rawValue, row.number, row.file, row.length, row.digest.bytes, row.isComplete,
            row.validator,
        ])
    }

    func removeResource(_ rendition: Int64, _ kind: PlanItem.Kind, _ number: Int) throws {
        try execute(
            sql: "DELETE FROM resource WHERE rendition = ? AND kind = ? AND number = ?",
            arguments: [rendition, kind.rawValue, number])
    }

    /// Updates the size of a package after its resources have changed.
    func countBytes(of package: Int64) throws {
        try execute(
            sql:
                "UPDATE package SET bytes = (SELECT COALESCE(SUM(length), 0) FROM resource JOIN rendition ON rendition.id = resource.rendition WHERE rendition.package = ?1 AND resource.complete = 1) WHERE id = ?1",
            arguments: [package])
    }
}

extension Database {
    /// Moves passwords out of URLs and playlists, and secret headers out of options, in a database of an older version.
    fileprivate func takeCredentials() throws {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder.sorted)
        for row in try Row.fetchAll(self, sql: "SELECT id, url, options FROM download") {
            guard var url = URL(string: row["url"]),
                var options = try? decoder.decode(DownloadOptions.self, from: Data((row["options"] as String).utf8))
            else { continue }
            let needs = DownloadCredentials(takenFrom: &url, &options).needs(for: url)
            try execute(
                sql: "UPDATE download SET url = ?, options = ?, needs = ? WHERE id = ?",
                arguments: [
                    url.absoluteString, String(decoding: try encoder.encode(options), as: UTF8.self),
                    needs.isEmpty ? "" : String(decoding: try encoder.encode(needs), as: UTF8.self),
                    row["id"] as String,
                ])
        }
        var taken = DownloadCredentials()
        for (table, columns) in [
            ("package", ["source", "title"]), ("rendition", ["url", "others", "tag", "playlist", "playlistURL"]),
        ] {
            for column in columns {
                for row in try Row.fetchAll(
                    self, sql: "SELECT id, \(column) AS text FROM \(table) WHERE \(column) LIKE '%@%'")
                {
                    // Lists of URLs are stored with escaped slashes.
                    let text = (row["text"] as String).replacingOccurrences(of: "\\/", with: "/")
                    let clean = taken.take(from: text)
                    guard clean != text else { continue }
                    try execute(
                        sql: "UPDATE \(table) SET \(column) = ? WHERE id = ?", arguments: [clean, row["id"] as Int64])
                }
            }
        }
    }
}

extension Date {
    fileprivate init(stored seconds: Double) { self.init(timeIntervalSince1970: seconds.isFinite ? seconds : 0) }
}

extension JSONEncoder {
    /// An encoder that returns the same text for equal values.
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
