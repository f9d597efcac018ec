import Foundation
import MediaCore
import MediaEngine
import Streaming
import TestSupport
import Testing

@testable import Downloads

@Suite("Sessions after a restart")
struct SessionRestoreTests {
    /// The probe process and its output.
    private struct Probe {
        let process: ChildProcess
        let output: URL

        init(_ identifier: String, _ url: URL, _ more: [String] = []) throws {
            output = FileManager.default.temporaryDirectory.appendingPathComponent(
                "zt-session-probe-\(UUID().uuidString)")
            var environment = ProcessInfo.processInfo.environment
            environment["ZOETROPE_SESSIONS"] = TestSession.libraries.path
            process = try ChildProcess(
                line: Programs.command("Session", [identifier, url.absoluteString] + more), environment: environment,
                output: output.path)
        }
        var lines: [String] { ChildProcess.wholeLines(of: output) }
        func says(sourceLocation: SourceLocation = #_sourceLocation, _ isSo: ([String]) -> Bool) async -> Bool {
            await eventually(
                seen: { "it said \(lines), it \(process.state)" }, while: { process.exitCode == nil },
                sourceLocation: sourceLocation
            ) { isSo(lines) }
        }
        /// Waits until the record satisfies `isSo`, as it would be found after killing the process now.
        func records(
            _ folder: URL, sourceLocation: SourceLocation = #_sourceLocation, _ isSo: ([DownloadRow]) -> Bool
        ) async -> Bool {
            let file = folder.appendingPathComponent("downloads.sqlite")
            var rows: [DownloadRow] = []
            return await eventually(
                seen: { "\(rows), it \(process.state)" }, while: { process.exitCode == nil },
                sourceLocation: sourceLocation
            ) {
                // The process itself must create the file.
                guard FileManager.default.fileExists(atPath: file.path) else { return false }
                rows = (try? DownloadRecord(at: file).read { try $0.downloads() }) ?? []
                return isSo(rows)
            }
        }
        func kill() {
            process.send(SIGKILL)
            process.wait()
            try? FileManager.default.removeItem(at: output)
        }
    }

    @Test("a killed task returns with its description, asset and selections, and continues")
    func killed() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let slow = server.inject(.stall(after: 1_000), on: "vod-fmp4/*00[4-9].m4s")
        let identifier = UUID().uuidString
        let url = server.url(for: "vod-fmp4/master.m3u8")
        let probe = try Probe(identifier, url)
        #expect(await probe.says { $0.contains { $0.hasPrefix("loaded") } })
        // Everything the server does not hold back has been received, and the other requests stall.
        #expect(await server.wait { $0.count { $0.outcome == .running && $0.path.hasSuffix(".m4s") } >= 4 })
        // Everything the server has sent is complete on the disk.
        let folder = SessionFolders.folder(identifier)
        func sent() -> Int {
            Set(server.requests("*.m4s").filter { $0.outcome == .complete && $0.range == nil }.map(\.path)).count
        }
        func kept() -> Int {
            (FileManager.default.subpaths(atPath: folder.path) ?? []).count {
                $0.contains(".movpkg/") && $0.hasSuffix(".m4s")
            }
        }
        #expect(await probe.says { _ in kept() >= sent() })
        let number = probe.lines.first { $0.hasPrefix("made ") }?.dropFirst(5)
        let place = probe.lines.first { $0.hasPrefix("place ") }?.dropFirst(6)
        probe.kill()
        let before = Set(server.requests("*.m4s").filter { $0.outcome == .complete }.map(\.path))
        let count = server.requests.count
        #expect(!before.isEmpty)
        server.remove(slow)

        let test = TestSession(identifier)
        let tasks = await test.session.allTasks
        #expect(test.listener.all.isEmpty, "no task is reported before the app can request it")
        let task = try #require(tasks.first as? AVAggregateAssetDownloadTask)
        #expect(
            tasks.count == 1 && task.taskDescription == "my film" && task.urlAsset.url == url && task.state == .running)
        #expect(String(task.taskIdentifier) == number.map(String.init))
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
        #expect(test.listener.place(task)?.path == place.map(String.init))
        let words = test.listener.words(task)
        #expect(words.first == "place" && words.last == "ended" && words.count { $0 == "completed" } == 2)
        var sounds: [String?] = []
        let group = try #require(try await task.urlAsset.loadMediaSelectionGroup(for: .audible))
        for case .completed(let selection) in test.listener.told(task) {
            #expect(selection.asset === task.urlAsset)
            sounds.append(selection.selectedMediaOption(in: group)?.displayName)
        }
        #expect(Set(sounds) == ["English", "Français"])
        #expect(
            server.requests.dropFirst(count).allSatisfy { !before.contains($0.path) },
            "downloaded segments are not fetched again")

        // The end has been reported, so it is not reported again.
        let third = TestSession(identifier)
        #expect(await third.session.allTasks.isEmpty)
        await third.settle()
        #expect(third.listener.all.isEmpty && third.packages.count == 1)
    }

    @Test("completion is delivered after relaunch")
    func endedUnheard() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let identifier = UUID().uuidString
        _ = TestSession.libraries
        let probe = try Probe(identifier, server.url(for: "vod-ts/master.m3u8"), ["--mute"])
        let folder = SessionFolders.folder(identifier)
        #expect(await probe.records(folder) { $0.first?.isFinished == true })
        probe.kill()
        let count = server.requests.count
        let later = try Probe(identifier, server.url(for: "vod-ts/master.m3u8"))
        // The list of tasks and the report of the end do not depend on each other, so their order is undefined.
        #expect(await later.says { $0.contains { $0.hasPrefix("tasks") } && $0.contains { $0.hasPrefix("ended") } })
        #expect(later.lines.contains("tasks 1"), "\(later.lines)")
        let told = later.lines.filter { !$0.hasPrefix("tasks") }
        #expect(told.first?.hasPrefix("place") == true && told.contains("loaded 24.0"), "\(told)")
        #expect(told.last == "ended ", "\(told)")
        later.kill()
        #expect(server.requests.count == count)
    }

    @Test("a task that was never resumed returns suspended")
    func paused() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let identifier = UUID().uuidString
        let probe = try Probe(identifier, server.url(for: "vod-ts/master.m3u8"), ["--paused"])
        #expect(await probe.says { $0.contains { $0.hasPrefix("made") } })
        // The download and its description are stored one after the other.
        #expect(await probe.records(SessionFolders.folder(identifier)) { $0.first?.note.contains("my film") == true })
        probe.kill()
        // The probe has loaded playlists to find the available selections.
        let count = server.requests.count
        let test = TestSession(identifier)
        let task = try #require(await test.session.allTasks.first)
        #expect(task.state == .suspended && task.taskDescription == "my film")
        await test.settle()
        // Earlier requests of the session would reach the server before this one.
        _ = try await HTTPClient.shared.load(HTTPRequest(url: server.url(for: "vod-fmp4/master.m3u8")))
        #expect(server.requests.count == count + 1 && test.listener.all.isEmpty)
        task.resume()
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
    }

    @Test("unclaimed tasks continue after a restart")
    func neverAsked() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let slow = server.inject(.stall(after: 20_000), on: "vod-ts/v1/seg00[4-9].ts")
        let identifier = UUID().uuidString
        let probe = try Probe(identifier, server.url(for: "vod-ts/master.m3u8"))
        #expect(await probe.says { $0.contains { $0.hasPrefix("loaded") } })
        #expect(await server.waitForRequests(1, "vod-ts/v1/seg00[4-9].ts"))
        probe.kill()
        server.remove(slow)
        let test = TestSession(identifier)
        #expect(await test.listener.wait { $0.all.contains { $0.told.description == "ended" } })
    }

    @Test("a configuration without an identifier uses the default library")
    func withoutIdentifier() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        _ = TestSession.libraries
        let listener = SessionListener()
        let session = AVAssetDownloadURLSession(
            configuration: .default, assetDownloadDelegate: listener, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        #expect(session.configuration.identifier == nil && session.folder.lastPathComponent == "default")
        let task = try #require(
            session.makeAssetDownloadTask(
                asset: AVURLAsset(url: server.url(for: "vod-ts/master.m3u8")), assetTitle: "", assetArtworkData: nil,
                options: [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: 1]))
        task.resume()
        #expect(await listener.ended(task) && listener.error(task) == nil)
        #expect(URLSessionConfiguration.background(withIdentifier: "AAPL-Identifier").identifier == "AAPL-Identifier")
    }
}
