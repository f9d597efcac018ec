import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Passwords and tokens must be kept in memory only.
@Suite("Credentials of downloads") @MainActor struct CredentialTests {
    private static let password = "s3cret-pass"
    private static let token = "t0ken-of-mine"
    /// The secrets, in the forms in which a file could contain them.
    private static let secrets = [password, token, Data("ann:\(password)".utf8).base64EncodedString()]

    /// Returns a server that answers only requests with both the password and the token.
    private func guarded() throws -> StreamServer {
        let server = try TestStreams.server()
        let basic = "Basic " + Data("ann:\(Self.password)".utf8).base64EncodedString()
        let token = Self.token
        server.serve("*") { request in
            request.headers["Authorization"] == basic && request.headers["X-Api-Key"] == token ? nil : .status(401)
        }
        return server
    }

    private func url(_ server: StreamServer, _ path: String) throws -> URL {
        let text = server.url(for: path).absoluteString
        return try #require(
            URL(string: text.replacingOccurrences(of: "http://", with: "http://ann:\(Self.password)@")))
    }

    private var options: DownloadOptions {
        var options = DownloadOptions.plain
        options.network.headers = ["X-Api-Key": Self.token, "Accept-Language": "de"]
        return options
    }

    /// Returns the files of a library that contain a secret, and the files and folders that other users may read.
    private func leaks(_ library: URL) -> [String] {
        var result: [String] = []
        var paths = FileManager.default.subpaths(atPath: library.path) ?? []
        paths.append("")
        for path in paths {
            let place = path.isEmpty ? library : library.appendingPathComponent(path)
            var info = stat()
            guard lstat(place.path, &info) == 0 else { continue }
            let isFolder = info.st_mode & S_IFMT == S_IFDIR
            let mode = info.st_mode & 0o777
            if mode != (isFolder ? 0o700 : 0o600) { result.append("\(path): \(String(mode, radix: 8))") }
            guard !isFolder, let bytes = try? Data(contentsOf: place) else { continue }
            for secret in Self.secrets where bytes.range(of: Data(secret.utf8)) != nil {
                result.append("\(path): \(secret)")
            }
        }
        return result
    }

    @Test(
        "passwords and keys are never stored on disk",
        arguments: ["vod-fmp4/master.m3u8", "aes128/explicit.m3u8", "plain/film.mp4"])
    func nowhere(_ path: String) async throws {
        let server = try guarded()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(url(server, path), options: options)
        for await state in download.states {
            #expect(leaks(test.folder).filter { !$0.contains(".part") || $0.contains("cret") }.isEmpty)
            if state.isSettled { break }
        }
        #expect(download.state == .finished)
        #expect(leaks(test.folder).isEmpty)
        #expect(
            !download.url.absoluteString.contains("ann") && download.options.network.headers["X-Api-Key"] == Self.token)
        #expect(try await test.library.verify(download).isEmpty)
        await test.library.close()
        #expect(leaks(test.folder).isEmpty)
    }

    @Test(
        "A task sends an asset's cookies only to their domains",
        arguments: [
            (false, ["own", "host", "parent"]), (true, ["own", "host", "parent", "bank", "suffix", "address"]),
        ])
    func cookies(_ sharesCredentials: Bool, _ expected: [String]) throws {
        let domains = [
            ("own", ""), ("host", "video.example"), ("parent", ".example"), ("bank", "bank.example"),
            ("suffix", ".deo.example"), ("address", ".0.0.1"),
        ]
        let asset = AVURLAsset(
            url: try #require(URL(string: "http://Video.example/film.m3u8")),
            options: [
                AVURLAssetHTTPCookiesKey: domains.map { AVURLAssetHTTPCookie(name: $0, value: "1", domain: $1) },
                AVURLAssetSharesCredentialsKey: sharesCredentials,
            ])
        let wanted = DownloadTaskOptions(
            asset, title: "", artwork: nil, selections: [], options: nil, URLSessionConfiguration.default)
        #expect(
            wanted.download.network.headers["Cookie"] == expected.map { $0 + "=1" }.joined(separator: "; "))
    }

    @Test("a failed download stores no password")
    func failed() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.serve("*") { _ in .status(403) }
        let download = try await test.library.add(url(server, "vod-ts/master.m3u8"), options: options)
        expectEqual(await download.settles()?.error?.code, .refused)
        #expect(leaks(test.folder).isEmpty)
    }

    @Test("a later process requests missing credentials, and continues with them")
    func later() async throws {
        let server = try guarded()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let hold = server.inject(.stall(after: 1000), on: "vod-ts/v3/*6.ts", nth: 1...1)
        let address = try url(server, "vod-ts/master.m3u8")
        let first = try await test.library.add(address, options: options)
        #expect(await server.wait { $0.contains { $0.path.hasSuffix("6.ts") && $0.bytesSent >= 1000 } })
        _ = try await until { test.files.keys.first { $0.hasSuffix("segment-000005.ts") } }
        try await first.pause()
        server.remove(hold)
        // The same process still has the credentials in memory.
        let here = server.requests.count
        try await first.resume()
        #expect(await server.wait { $0.count > here && $0.last?.status ?? 200 < 300 })
        try await first.pause()
        let library = try await test.reopened()
        let again = try #require(library.downloads.first)
        let from = server.requests.count
        try await again.resume()
        let error = try #require(await again.settles()?.error)
        #expect(error.code == .credentialsNeeded && !error.isTransient)
        #expect(error.reason.contains("password") && error.reason.contains("X-Api-Key"), "\(error)")
        #expect(server.requests.count == from)
        // Retry with only one of the two missing credentials.
        try await again.retry(with: address)
        let lacking = try #require(await again.settles()?.error)
        #expect(lacking.code == .credentialsNeeded && !lacking.reason.contains("password"), "\(lacking)")
        try await again.retry(with: address, headers: options.network.headers)
        try await again.finished()
        let later = server.requests.dropFirst(from)
        #expect(!later.contains { $0.path.contains("/v3/") && $0.path.hasSuffix("000.ts") })
        #expect(later.allSatisfy { $0.status.map { $0 < 300 } ?? true })
        #expect(leaks(test.folder).isEmpty)
        await library.close()
    }

    @Test("passwords in playlist URLs are used but not stored")
    func inPlaylists() async throws {
        let server = try guarded()
        let test = try await TestLibrary()
        defer { server.close() }
        let folder = try url(server, "aes128/").absoluteString
        server.serve("list.m3u8") { _ in
            guard let text = try? String(decoding: served("aes128/explicit.m3u8"), as: UTF8.self) else { return nil }
            return .playlist(
                text.replacingOccurrences(of: "explicit0", with: folder + "explicit0").replacingOccurrences(
                    of: "URI=\"", with: "URI=\"" + folder
                ).replacingOccurrences(of: "\n", with: "\r\n"))
        }
        let address = server.url(for: "list.m3u8")
        let download = try await test.library.add(address, options: options)
        try await download.finished()
        #expect(leaks(test.folder).isEmpty)
        #expect(try await test.library.verify(download).isEmpty)
    }

    @Test("opening an old library removes stored credentials")
    func migrates() async throws {
        let server = try guarded()
        let test = try await TestLibrary()
        defer { server.close() }
        let address = try url(server, "vod-ts/master.m3u8")
        let id = try await test.library.add(address, options: options, paused: true).id
        await test.library.close()
        try makeOld(test.folder, address)
        #expect(!leaks(test.folder).isEmpty)
        let library = try DownloadLibrary(at: test.folder)
        #expect(leaks(test.folder).isEmpty, "\(leaks(test.folder))")
        let download = try #require(library[id])
        #expect(download.url == server.url(for: "vod-ts/master.m3u8"))
        #expect(download.options.network.headers == ["Accept-Language": "de"])
        try await download.resume()
        expectEqual(await download.reaches { $0.error != nil }?.error?.code, .credentialsNeeded)
        try await download.retry(with: address, headers: options.network.headers)
        try await download.finished()
        await library.close()
    }

    /// Turns a record into one of the first version, with secrets in its rows, free pages and log.
    private func makeOld(_ folder: URL, _ address: URL) throws {
        let path = folder.appendingPathComponent("downloads.sqlite").path
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA secure_delete = OFF; PRAGMA user_version = 0")
            try database.execute(sql: "ALTER TABLE download DROP COLUMN needs")
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier <> 'first'")
            var old = DownloadOptions.plain
            old.network.headers = options.network.headers
            let text = String(decoding: try JSONEncoder().encode(old), as: UTF8.self)
            try database.execute(
                sql: "UPDATE download SET url = ?, options = ?", arguments: [address.absoluteString, text])
            try database.execute(sql: "UPDATE package SET source = ?", arguments: [address.absoluteString])
            for number in 0..<40 {
                try database.execute(
                    sql:
                        "INSERT INTO rendition (package, kind, name, url, others, tag, bitRate, playlist, playlistURL, variables) SELECT id, 'video', ?, ?, ?, '', 0, ?, ?, '{}' FROM package",
                    arguments: [
                        "old-\(number)", address.absoluteString,
                        String(decoding: try JSONEncoder().encode([address]), as: UTF8.self),
                        "#EXTM3U\n#EXTINF:2,\n\(address.absoluteString)\n" + String(repeating: "#", count: 3000),
                        address.absoluteString,
                    ])
            }
            try database.execute(sql: "DELETE FROM rendition WHERE id % 2 = 0")
            try database.checkpoint(.passive)
            try database.execute(sql: "UPDATE rendition SET complete = 1")
        }
        try database.close()
        for name in ["downloads.sqlite", "policy.json"] { chmod(folder.appendingPathComponent(name).path, 0o644) }
    }
}
