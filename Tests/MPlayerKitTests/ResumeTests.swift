import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import MPlayerKit

@Suite("Resuming at the last position", .serialized) @MainActor
struct ResumeTests {
    /// Makes a small video of one minute.
    private func film(_ folder: Folder) async throws -> URL {
        let path = folder.url.appendingPathComponent("film.mp4")
        let code = try await offPool {
            try ChildProcess(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc=s=160x90:r=10:d=60", "-c:v",
                    "libx264", "-preset", "ultrafast", "-g", "20",
                    "-pix_fmt", "yuv420p", path.path,
                ]
            ).wait()
        }
        guard code == 0 else { throw AppProcess.NoAnswer(what: "ffmpeg ended with \(code)") }
        return path
    }
    private func at(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 600) }
    private func place(
        _ resume: PlaybackResume, _ url: URL, sourceLocation: SourceLocation = #_sourceLocation,
        _ isIt: (Double?) -> Bool
    ) async -> Bool {
        var place: Double?
        return await eventually(
            "a position that is kept", seen: { "\(String(describing: place))" }, sourceLocation: sourceLocation
        ) {
            place = await resume.place(of: url)
            return isIt(place)
        }
    }

    @Test("only a model with automatic resume starts at the last position")
    func resumes() async throws {
        let folder = try Folder()
        let url = try await film(folder)
        let resume = PlaybackResume.automatic(in: folder.url.appendingPathComponent("data"))
        let clip = Clip(at: url)
        let first = PlayerModel(resume: resume)
        await first.load(clip)
        #expect(first.player.currentTime() == .zero)
        first.seek(at(20))
        #expect(await place(resume, url) { $0 == 20 })
        let second = PlayerModel(resume: resume)
        await second.load(clip)
        #expect(await eventually { second.player.currentTime().seconds == 20 && !second.player.isSeeking })
        let third = PlayerModel()
        await third.load(clip)
        #expect(third.player.currentTime() == .zero)
        // The position is stored at intervals during playback, and at a pause.
        // Not so fast that the video ends before the pause.
        second.player.rate = 4
        #expect(await eventually { second.player.currentTime().seconds > 30 })
        second.pause()
        #expect(await place(resume, url) { ($0 ?? 0) >= 30 })
    }

    @Test("positions near the start or end and live ones are not kept")
    func forgets() async throws {
        let folder = try Folder()
        let url = try await film(folder)
        let resume = PlaybackResume.automatic(in: folder.url.appendingPathComponent("data"))
        var clip = Clip(at: url)
        let model = PlayerModel(resume: resume)
        await model.load(clip)
        model.seek(at(20))
        #expect(await place(resume, url) { $0 == 20 })
        model.seek(at(2))
        #expect(await place(resume, url) { $0 == nil })
        model.seek(at(20))
        #expect(await place(resume, url) { $0 == 20 })
        model.seek(at(59))
        #expect(await place(resume, url) { $0 == nil })
        model.seek(at(20))
        #expect(await place(resume, url) { $0 == 20 })
        await resume.forget(url)
        expectEqual(await resume.place(of: url), nil)
        model.seek(at(30))
        #expect(await place(resume, url) { $0 == 30 })
        await resume.forgetAll()
        expectEqual(await resume.place(of: url), nil)
        clip.mediaType = .liveVideo
        let live = PlayerModel(resume: resume)
        await live.load(clip)
        live.seek(at(20))
        #expect(await eventually { live.currentTime?.seconds == 20 && !live.player.isSeeking })
        expectEqual(await resume.place(of: url), nil)
    }

    @Test("the end of an item leaves the position of a replaced load")
    func replacedLoad() async throws {
        let folder = try Folder()
        let url = try await film(folder)
        let resume = PlaybackResume.automatic(in: folder.url.appendingPathComponent("data"))
        let model = PlayerModel(resume: resume)
        await model.load(Clip(at: url))
        model.seek(at(20))
        #expect(await place(resume, url) { $0 == 20 })
        var live = try Clip("loop-aac.mp4")
        live.mediaType = .liveVideo
        // The second load begins while the first one waits for its position.
        let first = Task { await model.load(Clip(at: url)) }
        let second = Task { [live] in await model.load(live) }
        await first.value
        await second.value
        try #require(model.currentItem?.asset == live.asset)
        model.player.rate = 8
        #expect(await eventually { model.state.words == "endOfMedia" }, "\(model.state)")
        expectEqual(await resume.place(of: url), 20)
    }

    @Test("the item of a canceled load starts at the last position")
    func canceledLoad() async throws {
        let folder = try Folder()
        let url = try await film(folder)
        let resume = PlaybackResume.automatic(in: folder.url.appendingPathComponent("data"))
        let first = PlayerModel(resume: resume)
        await first.load(Clip(at: url))
        first.seek(at(20))
        #expect(await place(resume, url) { $0 == 20 })
        let second = PlayerModel(resume: resume)
        let loading = Task { await second.load(Clip(at: url)) }
        loading.cancel()
        await loading.value
        #expect(await eventually { second.player.currentTime().seconds == 20 && !second.player.isSeeking })
    }

    @Test("a retry continues at the failure, and positions are stored again")
    func retries() async throws {
        let folder = try Folder()
        let resume = PlaybackResume.automatic(in: folder.url.appendingPathComponent("data"))
        let server = try TestStreams.server()
        defer { server.close() }
        // One broken segment is skipped, but the stream fails if more than a third are broken.
        let rule = server.inject(.body(Data(repeating: 7, count: 20_000)), on: "*/seg00[4-9].*")
        let url = server.url(for: "vod-ts/master.m3u8")
        let model = PlayerModel(resume: resume)
        await model.load(Clip(at: url))
        model.seek(at(7))
        model.play()
        #expect(await eventually { model.state.words == "error" }, "\(model.state)")
        server.remove(rule)
        #expect(PlaybackControl(model.player).retry())
        #expect(await eventually { model.state.isPlaying && !model.player.isSeeking }, "\(model.state)")
        #expect(model.player.currentTime().seconds > 6.5)
        model.pause()
        model.seek(at(18))
        #expect(await place(resume, url) { $0 == 18 })
    }

    @Test("a damaged database or an unwritable folder does not prevent playback")
    func broken() async throws {
        let folder = try Folder()
        let url = try await film(folder)
        let data = folder.url.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 20_000).write(to: data.appendingPathComponent("places.sqlite"))
        let resume = PlaybackResume.automatic(in: data)
        let model = PlayerModel(resume: resume)
        await model.load(Clip(at: url))
        model.seek(at(20))
        // A new database replaces the damaged one.
        #expect(await place(resume, url) { $0 == 20 })
        let nowhere = PlayerModel(resume: .automatic(in: URL(fileURLWithPath: "/dev/null/x")))
        await nowhere.load(Clip(at: url))
        nowhere.play()
        #expect(await eventually { nowhere.state.isPlaying })
    }

    @Test("the database stays intact when the app is killed while writing")
    func killed() async throws {
        let folder = try Folder()
        let url = try await film(folder)
        let data = folder.url.appendingPathComponent("data")
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        for round in 0..<5 {
            let app = try AppProcess(
                "Kit", ["custom", url.path],
                environment: ["ZT_RESUME": data.path, "NO_AT_BRIDGE": "1", "DBUS_SESSION_BUS_ADDRESS": ""],
                display: display)
            try await app.wait(for: "ready")
            try app.send("load")
            try await app.wait(for: "done load")
            try app.send("churn")
            for _ in 0...round { try await app.wait(for: "kept") }
            app.child.send(SIGKILL)
            _ = try await offPool { app.child.wait() }
            // Check the database file with SQLite's own integrity check.
            let report = folder.url.appendingPathComponent("report").path
            let file = data.appendingPathComponent("places.sqlite").path
            let code = try await offPool {
                try ChildProcess(
                    "python3",
                    [
                        "-c",
                        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute('PRAGMA integrity_check').fetchone()[0], *c.execute('SELECT count(*), min(seconds), max(seconds), min(duration) FROM place').fetchone())",
                        file,
                    ],
                    output: report
                ).wait()
            }
            let words = try String(contentsOfFile: report, encoding: .utf8).split(separator: " ").map(String.init)
            #expect(code == 0 && words.first == "ok" && words.count == 5, "\(words)")
            #expect(
                words[1] == "1" && (10...50).contains(Double(words[2]) ?? 0)
                    && abs((Double(words[4].trimmingCharacters(in: .newlines)) ?? 0) - 60) < 0.5, "\(words)")
        }
        let place = await PlaybackResume.automatic(in: data).place(of: url)
        #expect((10...50).contains(place ?? 0))
    }

    @Test("a position beyond the end of the file starts at the beginning", arguments: [false, true])
    func shorter(isCanceled: Bool) async throws {
        let folder = try Folder()
        let resume = PlaybackResume.automatic(in: folder.url.appendingPathComponent("data"))
        let url = folder.url.appendingPathComponent("clip.mp4")
        try FileManager.default.copyItem(at: TestMedia.url("counter.mp4"), to: url)
        let store = try #require(resume.store)
        await withCheckedContinuation { continuation in
            store.store(500, duration: 1000, of: url) { continuation.resume() }
        }
        let model = PlayerModel(resume: resume)
        let loading = Task { await model.load(Clip(at: url)) }
        if isCanceled { loading.cancel() }
        // The seek to the stored position has begun when this call returns.
        await loading.value
        #expect(
            await eventually {
                model.duration != nil && model.player.currentTime() == .zero && !model.player.isSeeking
            })
    }
}
