import Foundation
import TestSupport
import Testing

@Suite("Completeness and privacy of downloads", .serialized)
struct DownloadPromiseToolTests {
    private let shell: ToolShell
    private let server: StreamServer
    private let library: String

    init() throws {
        shell = try ToolShell()
        server = try TestStreams.server()
        library = shell.file("library")
    }

    private func tool(_ arguments: [String]) async throws -> (code: Int32, output: String, error: String) {
        try await ToolProcess.run(arguments + ["--library", library])
    }
    private func url(_ path: String) -> String { server.url(for: path).absoluteString }
    private var files: [String] { FileManager.default.subpaths(atPath: library) ?? [] }

    @Test("verify reports a missing segment, and downloading again fetches it")
    func missing() async throws {
        let command = ["download", url("vod-ts/master.m3u8"), "--quality", "worst"]
        expectEnd(try await tool(command), 0)
        let file = try #require(files.filter { $0.hasSuffix("segment-000004.ts") }.first)
        try FileManager.default.removeItem(atPath: library + "/" + file)
        let verify = try await tool(["downloads", "verify"])
        #expect(verify.code == 1 && verify.output.contains(file + ": the file is missing"), "\(verify.output)")
        let export = try await tool(["downloads", "export", "1", "-o", shell.file("copy.movpkg")])
        #expect(export.code == 1 && export.error.contains("segment-000004.ts"), "\(export.error)")
        let from = server.requests.count
        let again = try await tool(command)
        #expect(again.code == 0 && again.error.contains("finished"), "\(again.error)")
        #expect(server.requests.dropFirst(from).map(\.path) == ["vod-ts/v0/seg004.ts"])
        expectEnd(try await tool(["downloads", "verify"]), 0)
        // A complete download makes no request.
        let end = server.requests.count
        #expect(try await tool(command).code == 0 && server.requests.count == end)
    }

    @Test(
        "no segment is lost while the disk is full",
        .enabled(if: SmallDisk.isAllowed, "only root can mount a file system"))
    func diskFull() async throws {
        let disk = try await SmallDisk.mount(megabytes: 110)
        defer { disk.close() }
        let mount = disk.folder.path
        // So slow that a write fails before another segment is complete.
        server.setNetwork(.kilobits(4_000))
        let tool = try ToolProcess([
            "download", url("vod-ts/master.m3u8"), "--library", mount + "/library",
        ])
        let isUnderWay = try await until {
            let names = FileManager.default.subpaths(atPath: mount) ?? []
            return names.count { $0.contains("/segment-") && $0.hasSuffix(".ts") } >= 2 ? true : nil
        }
        #expect(isUnderWay == true)
        try await offPool { try disk.fill() }
        #expect(try await until { tool.errors.contains("waiting") ? true : nil } == true, "\(tool.errors)")
        server.setNetwork(nil)
        disk.free()
        let run = await tool.finish()
        #expect(run.code == 0, "\(run.error)")
        let names = FileManager.default.subpaths(atPath: mount) ?? []
        #expect(names.count { $0.contains("/video-") && $0.contains("/segment-") } == 12, "\(names)")
        let verify = try await ToolProcess.run(["downloads", "verify", "--library", mount + "/library"])
        #expect(verify.code == 0, "\(verify.output)")
    }

    @Test("a symbolic link is refused, and its target stays unchanged")
    func link() async throws {
        let rule = server.inject(.status(404), on: "*/seg005.ts")
        let command = ["download", url("vod-ts/master.m3u8"), "--quality", "worst"]
        expectEnd(try await tool(command), 1)
        let folder = try #require(
            files.first { $0.hasSuffix("/segment-000000.ts") }.map { ($0 as NSString).deletingLastPathComponent })
        let victim = shell.file("victim")
        try FileManager.default.moveItem(atPath: library + "/" + folder, toPath: victim)
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim + "/precious.txt"))
        try FileManager.default.createSymbolicLink(atPath: library + "/" + folder, withDestinationPath: victim)
        let before = FileManager.default.subpaths(atPath: victim)?.sorted()
        server.remove(rule)
        let refused = try await tool(command)
        #expect(
            refused.code == 1 && refused.error.contains(folder + "”: the path is a symbolic link"), "\(refused.error)")
        for arguments in [["verify"], ["repair"], ["resume"], ["list"], ["remove", "--all"]] {
            _ = try await tool(["downloads"] + arguments)
        }
        #expect(FileManager.default.subpaths(atPath: victim)?.sorted() == before)
    }

    @Test("a password is never stored, and is required again to continue")
    func password() async throws {
        let basic = "Basic " + Data("ann:s3cret-pass".utf8).base64EncodedString()
        server.serve("*") { $0.headers["Authorization"] == basic ? nil : .status(401) }
        let rule = server.inject(.status(404), on: "*/seg005.ts")
        let source = url("vod-ts/master.m3u8").replacingOccurrences(of: "http://", with: "http://ann:s3cret-pass@")
        let command = ["download", source, "--quality", "worst", "--header", "X-Key: t0ken"]
        expectEnd(try await tool(command), 1)
        try expectClean()
        server.remove(rule)
        let from = server.requests.count
        let resumed = try await tool(["downloads", "resume", "1"])
        #expect(
            resumed.code == 1 && resumed.error.contains("password") && resumed.error.contains("X-Key")
                && resumed.error.contains("never stored") && server.requests.count == from, "\(resumed.error)")
        let again = try await tool(command)
        #expect(again.code == 0, "\(again.error)")
        for run in [resumed, again, try await tool(["downloads", "list", "--json"])] {
            #expect(!(run.output + run.error).contains("s3cret"))
        }
        try expectClean()
    }

    private func expectClean() throws {
        #expect(!files.isEmpty)
        for file in files + [""] {
            let path = file.isEmpty ? library : library + "/" + file
            var info = stat()
            #expect(lstat(path, &info) == 0)
            let isFolder = info.st_mode & S_IFMT == S_IFDIR
            #expect(info.st_mode & 0o777 == (isFolder ? 0o700 : 0o600), "\(file)")
            guard !isFolder else { continue }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for secret in ["s3cret-pass", "t0ken"] { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)") }
        }
    }
}
