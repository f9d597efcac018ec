import DesktopServices
import Foundation
import TestSupport
import Testing

/// Tests with an app and a renderer in two connected network namespaces. The renderer is gmediarender with a sound
/// server that records, or a fake one that misbehaves (`Tests/Fixtures/fake-renderer`).
@Suite("Casting", .serialized, .enabled(if: PrivateNetwork.isPossible, "network namespaces need root"))
struct CastingTests {
    /// A video whose audio gives its position: 400 Hz at the beginning, and 20 Hz more each second.
    private final class Film: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-cast-\(UUID().uuidString.prefix(8))")
        var url: URL { folder.appendingPathComponent("film & <more>.mp4") }
        /// - Parameter words: The content of a subtitle track (SRT), or nil for no track.
        init(seconds: Int = 30, words: String? = nil) async throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = url.path
            let script = folder.appendingPathComponent("words")
            try words?.write(to: script, atomically: true, encoding: .utf8)
            let track =
                words == nil ? [] : ["-f", "srt", "-i", script.path, "-c:s", "mov_text", "-disposition:s:0", "default"]
            let code = try await offPool {
                try ChildProcess(
                    "ffmpeg",
                    [
                        "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc=s=160x90:r=10:d=\(seconds)",
                        "-f", "lavfi", "-i",
                        "aevalsrc=0.5*sin(2*PI*(400*t+10*t*t)):s=48000:d=\(seconds)",
                    ] + track + [
                        "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-pix_fmt", "yuv420p", "-c:a", "aac",
                        "-b:a", "128k",
                        "-movflags", "+faststart", "-metadata", "title=Tom & “Jerry” <1>", path,
                    ]
                ).wait()
            }
            guard code == 0 else { throw AppProcess.NoAnswer(what: "ffmpeg ended with \(code)") }
        }
        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private final class Room: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let network: PrivateNetwork, display: PrivateDisplay, film: Film, app: AppProcess, sound: PrivateSoundServer
        private(set) var renderer: ChildProcess?
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-renderer-\(UUID().uuidString.prefix(8))")
        private let home = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-home-\(UUID().uuidString.prefix(8))")

        init(_ files: [String] = [], filmSeconds: Int = 30, words: String? = nil) async throws {
            network = try await PrivateNetwork.launch()
            display = try await PrivateDisplay.launch()
            sound = try await PrivateSoundServer.launch()
            film = try await Film(seconds: filmSeconds, words: words)
            app = try AppProcess(
                "NowPlaying", ["queue", film.url.path] + files,
                environment: ["DBUS_SESSION_BUS_ADDRESS": "", "NO_AT_BRIDGE": "1"], display: display,
                through: network.prefix(.app))
            try await app.wait(for: "ready")
        }
        deinit {
            renderer?.send(SIGKILL)
            display.close()
            for file in [output, home] { try? FileManager.default.removeItem(at: file) }
        }

        /// Starts gmediarender.
        func startReal() throws {
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let line =
                network.prefix(.renderer) + [
                    "gmediarender", "-f", "Living Room", "-u", "zt-\(UUID().uuidString)", "-I", "cable", "-o", "gst",
                    "--gstout-audiosink=pulsesink", "--gstout-videopipe=fakesink sync=true",
                    "--gstout-initial-volume-db=0", "--logfile", output.path,
                ]
            var environment = ProcessInfo.processInfo.environment
            for (key, value) in [
                "PULSE_SERVER": sound.address, "HOME": home.path, "XDG_RUNTIME_DIR": home.path,
                "GST_REGISTRY": "/tmp/zt-gst-registry.bin",
            ] { environment[key] = value }
            environment["DISPLAY"] = nil
            renderer = try ChildProcess(line[0], Array(line.dropFirst()), environment: environment)
        }
        func startFake(_ kinds: String..., name: String = "Fake") throws {
            let line =
                network.prefix(.renderer) + [
                    Repository.fixture("fake-renderer"), network.rendererAddress, name,
                ] + kinds
            renderer = try ChildProcess(
                line[0], Array(line.dropFirst()), output: output.path, error: output.path + ".err")
        }
        /// The requests that the fake renderer has printed.
        var told: [String] { ChildProcess.wholeLines(of: output) }
        func endRenderer(_ signal: Int32) { renderer?.send(signal) }

        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        func comes(
            _ what: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
            _ isSo: @escaping @Sendable () async throws -> Bool
        ) async throws -> Bool {
            try await eventually(
                what, seen: { "told \(told.suffix(12)) \(app.errors.suffix(500))" }, sourceLocation: sourceLocation,
                isSo)
        }
        func line() async throws -> String {
            try await tell("where")
            return app.lines.last { $0.hasPrefix("at ") } ?? ""
        }
        /// Returns the word after `name` in the app's line of facts, or the rest of the line if `name` is `error`.
        func fact(_ name: String) async throws -> String {
            let line = try await line()
            guard let range = line.range(of: name + " ") else { return "" }
            let rest = line[range.upperBound...]
            return name == "error" ? String(rest) : String(rest.prefix { $0 != " " })
        }
        func number(_ name: String) async throws -> Double { Double(try await fact(name)) ?? .nan }
        func routes(_ wanted: String) async throws -> Bool {
            try await comes("[\(wanted)]") {
                try await self.tell("routes")
                return self.app.lines.last { $0.hasPrefix("routes ") } == "routes [\(wanted)]"
            }
        }
        /// Waits until the renderer `name` is found, and casts to it.
        func cast(to name: String) async throws {
            try await tell("look")
            #expect(try await routes(name))
            // gmediarender is found before it is ready, and crashes if it gets a request too early.
            if name == "Living Room" {
                #expect(try await comes("being ready") { self.told.contains { $0.contains("Ready for rendering") } })
            }
            try await tell("cast \(name)")
        }
        func plays(_ name: String) async throws -> Bool {
            try await comes("playing on \(name)") {
                let line = try await self.line()
                return line.hasPrefix("at \(name) true status playing") && !line.contains("time 0.0 ")
            }
        }
        /// Returns the position, in seconds, of the audio in the last half second of the recording, or nil if it is
        /// silent.
        func heard(_ recording: PrivateSoundServer.Recording) async throws -> Double? {
            let all = try await offPool { try recording.samples() }
            let last = Array(all.suffix(24_000))
            guard last.count == 24_000, last.contains(where: { abs($0) > 0.02 }) else { return nil }
            let crossings = zip(last, last.dropFirst()).count { $0 < 0 && $1 >= 0 }
            return (Double(crossings) * 2 - 400) / 20
        }
    }

    @Test("only discovery finds a renderer; a renderer that exits is removed")
    func found() async throws {
        let room = try await Room()
        try room.startFake(name: "Kitchen <TV>")
        #expect(try await room.comes { room.told.contains { $0.hasPrefix("ready") } })
        try await room.tell("routes")
        #expect(room.app.lines.last { $0.hasPrefix("routes ") } == "routes []")
        try await room.tell("look")
        #expect(try await room.routes("Kitchen <TV>"))
        room.endRenderer(SIGTERM)
        #expect(try await room.routes(""))
    }

    @Test("casting continues at the same position and follows pause, seek and volume")
    func film() async throws {
        // So long that it does not end during a check.
        let room = try await Room(filmSeconds: 90)
        try room.startReal()
        try await room.tell("seek 5", "play")
        #expect(try await room.comes { try await room.number("time") > 5 })
        try await room.cast(to: "Living Room")
        #expect(try await room.plays("Living Room"))
        let recording = try await room.sound.record()
        #expect(try await room.comes("sound") { try await room.heard(recording) ?? 0 > 5 })
        // Waits until the app's time and the position in the recording agree.
        func agree(_ words: Comment) async throws {
            #expect(
                try await room.comes("agreement") {
                    guard let heard = try await room.heard(recording) else { return false }
                    return abs(heard - (try await room.number("time"))) < 2
                }, words)
        }
        try await agree("after beginning")

        try await room.tell("go 40")
        #expect(try await room.comes("the seek's sound") { try await room.heard(recording) ?? 0 > 39.5 })
        try await agree("after a seek")

        try await room.tell("pause")
        #expect(try await room.comes("silence") { try await room.heard(recording) == nil })
        let place = try await room.number("time")
        #expect(place > 39.5 && place < 88)
        try await room.tell("play")
        #expect(try await room.comes("sound again") { try await room.heard(recording) != nil })

        func loudness() async throws -> Float {
            try await offPool { try recording.samples().suffix(12_000).map(abs).max() ?? 0 }
        }
        let before = try await loudness()
        try await room.tell("go 2", "volume 0.3")
        #expect(
            try await room.comes("softer sound") {
                let now = try await offPool { try recording.samples().suffix(12_000).map(abs).max() ?? 0 }
                return now > 0.001 && now < before * 0.6
            })
        #expect(abs(try await room.number("volume") - 0.3) < 0.05)

        try await room.tell("uncast")
        #expect(try await room.comes("silence there") { try await room.heard(recording) == nil })
        #expect(
            try await room.comes("playing here") { try await room.line().hasPrefix("at here false status playing") })
        let here = try await room.number("time")
        #expect(here > 1.5 && here < 38)
        // Casting did not change the local volume.
        expectEqual(try await room.number("volume"), 1)
        _ = try await recording.finish()
    }

    @Test(
        "playback returns here with an error when the renderer is lost",
        arguments: ["killed", "unplugged", "goodbye"])
    func gone(_ how: String) async throws {
        // So long that it does not end before the loss is noticed.
        let room = try await Room(filmSeconds: 90)
        if how == "goodbye" { try room.startFake() } else { try room.startReal() }
        let name = how == "goodbye" ? "Fake" : "Living Room"
        try await room.tell("seek 8", "play")
        try await room.cast(to: name)
        #expect(try await room.plays(name))
        #expect(try await room.comes { try await room.number("time") > 9 })
        switch how {
        case "killed": room.endRenderer(SIGKILL)
        case "unplugged": try room.network.plug(false)
        default: room.endRenderer(SIGTERM)
        }
        #expect(
            try await room.comes("playing here") {
                try await room.line().hasPrefix("at here false status playing")
            })
        let place = try await room.number("time")
        #expect(place > 8.5 && place < 89)
        #expect(try await room.fact("error").contains("Can't cast to “\(name)”: the cast device "))
        #expect(try await room.comes { try await room.number("time") > place })
        #expect(try await room.routes(""))
        guard how != "goodbye" else { return }
        // The returning renderer is found again.
        if how == "unplugged" { try room.network.plug(true) } else { try room.startReal() }
        #expect(try await room.routes("Living Room"))
    }

    @Test("the server offers only the cast file, under a random URL")
    func served() async throws {
        let room = try await Room()
        try room.startFake()
        try await room.tell("play")
        try await room.cast(to: "Fake")
        #expect(try await room.plays("Fake"))
        let address = try #require(
            room.told.first { $0.hasPrefix("SetAVTransportURI ") }?.split(separator: " ").last {
                $0.hasPrefix("CurrentURI=")
            }.map { String($0.dropFirst(11)) })
        #expect(address.hasPrefix("http://\(room.network.appAddress):"))
        #expect(address.hasSuffix("/media.mp4"))
        // The URL contains about a hundred random bits and no part of the file name.
        #expect(!address.contains("film") && (URL(string: address)?.pathComponents.dropLast().last?.count ?? 0) >= 20)
        @Sendable func get(_ address: String, _ arguments: String...) async throws -> (code: String, bytes: Data) {
            let file = room.output.path + ".get"
            let line =
                room.network.prefix(.renderer) + [
                    "curl", "-s", "-m", "10", "--path-as-is", "-o", file, "-w", "%{http_code}",
                ] + arguments + [address]
            _ = try await offPool {
                try ChildProcess(line[0], Array(line.dropFirst()), output: file + ".code").wait()
            }
            defer { for each in [file, file + ".code"] { try? FileManager.default.removeItem(atPath: each) } }
            return (
                try String(contentsOfFile: file + ".code", encoding: .utf8),
                (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
            )
        }
        let whole = try Data(contentsOf: room.film.url)
        expectEqual(try await get(address).bytes, whole)
        let part = try await get(address, "-r", "100-299")
        #expect(part.code == "206" && part.bytes == whole.subdata(in: 100..<300))
        let root = String(
            address.prefix { $0 != "?" }.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
                .joined(separator: "/"))
        for other in [
            root + "/", root + "/zoetrope/", root + "/etc/passwd", address + "/../../../../etc/passwd",
            address + "/%2e%2e/%2e%2e/etc/passwd", String(address.dropLast(10)),
            root + room.film.url.path.replacing(" ", with: "%20"),
        ] {
            let got = try await get(other)
            #expect(
                got.code.hasPrefix("4") && !String(decoding: got.bytes, as: UTF8.self).contains("root:"),
                "\(other): \(got.code)")
        }
        // The metadata is valid XML for any file name.
        #expect(
            room.told.contains {
                $0.hasPrefix("metadata <DIDL-Lite") && $0.contains("Tom &amp; “Jerry” &lt;1&gt;")
                    && $0.contains("object.item.videoItem") && $0.contains("duration=\"0:00:30")
            })
        try await room.tell("uncast")
        #expect(try await room.comes("the end of serving") { try await get(address).code == "404" })
        #expect(room.told.contains { $0.hasPrefix("Stop") })
    }

    @Test("a subtitle file is sent only to renderers that support it", arguments: [true, false])
    func subtitles(_ takes: Bool) async throws {
        let room = try await Room()
        try "1\n00:00:01,000 --> 00:00:02,000\nHello\n".write(
            to: room.film.url.deletingPathExtension().appendingPathExtension("srt"), atomically: true, encoding: .utf8)
        if takes { try room.startFake("subtitles") } else { try room.startFake() }
        try await room.cast(to: "Fake")
        #expect(try await room.comes { room.told.contains { $0.hasPrefix("metadata ") } })
        #expect(
            room.told.contains {
                $0.hasPrefix("metadata ") && $0.contains("media.srt") && $0.contains("http-get:*:text/srt:*")
            } == takes)
    }

    @Test("embedded subtitles are served as a separate file only while cast", arguments: [true, false])
    func embedded(_ takes: Bool) async throws {
        let words =
            "1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i> & good-bye\n\n2\n00:00:20,000 --> 00:00:21,000\nÜber\nzwei Zeilen\n"
        let room = try await Room(words: words)
        if takes { try room.startFake("subtitles") } else { try room.startFake() }
        try await room.tell("play")
        try await room.cast(to: "Fake")
        #expect(try await room.plays("Fake"))
        let told = try #require(room.told.first { $0.hasPrefix("metadata ") })
        #expect(told.contains("http-get:*:text/srt:*") == takes && told.contains("media.srt") == takes)
        guard takes else { return }
        let address = String(try #require(told.firstMatch(of: /http:[^<>" ]*media\.srt/)).output)
        @Sendable func get() async throws -> (code: String, text: String) {
            let file = room.output.path + ".words"
            let line =
                room.network.prefix(.renderer) + ["curl", "-s", "-m", "10", "-o", file, "-w", "%{http_code}", address]
            _ = try await offPool {
                try ChildProcess(line[0], Array(line.dropFirst()), output: file + ".code").wait()
            }
            defer { for each in [file, file + ".code"] { try? FileManager.default.removeItem(atPath: each) } }
            return (
                try String(contentsOfFile: file + ".code", encoding: .utf8),
                (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            )
        }
        let got = try await get()
        #expect(
            got.code == "200"
                && got.text
                    == "1\n00:00:01,000 --> 00:00:02,500\nHello & good-bye\n\n2\n00:00:20,000 --> 00:00:21,000\nÜber\nzwei Zeilen\n",
            "\(got)")
        try await room.tell("uncast")
        #expect(try await room.comes("the end of serving") { try await get().code == "404" })
        // With `words none`, no subtitles are selected.
        try await room.tell("words none", "cast Fake")
        #expect(try await room.plays("Fake"))
        #expect(room.told.last { $0.hasPrefix("metadata ") }?.contains("text/srt") == false)
    }

    @Test("the renderer's volume applies while casting; the local one returns afterwards")
    func volume() async throws {
        let room = try await Room()
        try room.startFake()
        try await room.tell("volume 0.9", "play")
        try await room.cast(to: "Fake")
        // The renderer's volume is 24 of 60, which is 0.4.
        #expect(try await room.comes("its volume") { abs(try await room.number("volume") - 0.4) < 0.01 })
        try await room.tell("volume 0.5")
        #expect(try await room.comes { room.told.contains("SetVolume Channel=Master DesiredVolume=30") })
        try await room.tell("mute on")
        #expect(try await room.comes { room.told.contains("SetMute Channel=Master DesiredMute=1") })
        try await room.tell("uncast")
        #expect(abs(try await room.number("volume") - 0.9) < 0.01)
        expectEqual(try await room.fact("muted"), "false")
    }

    @Test("pausing or stopping on the renderer also does so here")
    func byHand() async throws {
        let room = try await Room()
        try room.startFake()
        try await room.tell("play")
        try await room.cast(to: "Fake")
        #expect(try await room.plays("Fake"))
        // The signal reaches the renderer itself, because `ip`, which starts it, is replaced by it.
        room.endRenderer(SIGUSR1)
        #expect(
            try await room.comes("the pause") { try await room.line().hasPrefix("at Fake true status paused rate 0.0") }
        )
        try await room.tell("play")
        #expect(try await room.plays("Fake"))
        #expect(room.told.count { $0.hasPrefix("Play ") } == 2)
        room.endRenderer(SIGUSR2)
        #expect(try await room.comes("coming back") { try await room.line().hasPrefix("at here false status paused") })
        expectEqual(try await room.fact("error"), "-")
    }

    @Test("looping, the end and the queue continue on the renderer")
    func ends() async throws {
        // So many items that the queue does not end during a check.
        let others = Array(repeating: try TestMedia.url("loop-aac.mp4").path, count: 30)
        let room = try await Room(others, filmSeconds: 4)
        try room.startFake("short=4")
        try await room.tell("again on")
        // Cast while paused, so that no pass ends here.
        try await room.cast(to: "Fake")
        try await room.tell("play")
        #expect(try await room.comes("another pass") { try await room.number("loops") >= 1 })
        try await room.tell("again off")
        #expect(try await room.comes("the next one") { (1...30).contains(try await room.number("items")) })
        #expect(try await room.comes { room.told.count { $0.hasPrefix("SetAVTransportURI ") } >= 3 })
        #expect(try await room.line().hasPrefix("at Fake true"))
        #expect(try await room.number("ends") >= 2)
    }

    @Test("a counted loop ends after its last pass on the renderer", arguments: [false, true])
    func countedLoop(returns: Bool) async throws {
        let room = try await Room(filmSeconds: 4)
        try room.startFake("short=4")
        try await room.tell("passes 2")
        // Cast while paused, so that no pass ends here.
        try await room.cast(to: "Fake")
        try await room.tell("play")
        #expect(try await room.comes("the second pass") { try await room.number("loops") == 1 })
        #expect(try await room.comes { room.told.count { $0.hasPrefix("SetAVTransportURI ") } == 2 })
        if returns { try await room.tell("uncast") }
        let place = returns ? "here false" : "Fake true"
        #expect(
            try await room.comes("the end") {
                let line = try await room.line()
                return line.hasPrefix("at \(place) status paused") && line.contains("atEnd true")
            })
        expectEqual(try await room.number("loops"), 1)
        // One at the end of each pass.
        expectEqual(try await room.number("ends"), 2)
        #expect(room.told.count { $0.hasPrefix("SetAVTransportURI ") } == 2)
    }

    @Test("an item that ended while cast stays at its end here")
    func endedCast() async throws {
        let room = try await Room(filmSeconds: 4)
        try room.startFake("short=4")
        try await room.tell("stay", "seek 1")
        try await room.cast(to: "Fake")
        try await room.tell("play")
        #expect(
            try await room.comes("the end") {
                let line = try await room.line()
                return line.hasPrefix("at Fake true status paused") && line.contains("atEnd true")
            })
        try await room.tell("uncast")
        #expect(
            try await room.comes("the end here") {
                let line = try await room.line()
                return line.hasPrefix("at here false status paused") && line.contains("atEnd true")
            })
        #expect(try await room.number("time") > 3.5)
        // An item that is at its end ends again, but the end has been reported.
        try await room.tell("play")
        #expect(try await room.comes("the pause") { try await room.fact("rate") == "0.0" })
        expectEqual(try await room.number("ends"), 1)
    }

    // A renderer may refuse, not answer, send text that is not XML, or lack seeking, pausing or playback speeds.
    @Test(
        "an unsuitable renderer causes a fallback or an error, never a hang",
        arguments: ["refuses", "silent", "words", "noseek", "nopause", "onespeed", "eager", "garbage"])
    func hostile(_ kind: String) async throws {
        let room = try await Room()
        try room.startFake(kind)
        // The start is as far from the beginning as the check of `noseek` may be late.
        try await room.tell(kind == "noseek" ? "seek 12" : "seek 6", "play")
        try await room.cast(to: "Fake")
        switch kind {
        case "refuses", "silent", "words":
            #expect(
                try await room.comes("coming back") {
                    try await room.line().hasPrefix("at here false status playing")
                })
            #expect(try await room.number("time") > 5.5)
            let reason = try await room.fact("error")
            #expect(
                reason.hasPrefix("Can't cast to “Fake”: Fake ")
                    && reason.contains(
                        kind == "refuses"
                            ? "error 716: Resource not found" : kind == "silent" ? "does not respond" : "Fake"),
                "\(reason)")
        case "noseek":
            // The renderer starts at the beginning, and the app reports that time.
            #expect(try await room.plays("Fake"))
            #expect(
                try await room.comes("the beginning") {
                    let time = try await room.number("time")
                    return time > 0 && time < 11
                })
            try await room.tell("go 20")
            #expect(try await room.comes { room.app.lines.contains("went false") })
        case "nopause":
            #expect(try await room.plays("Fake"))
            try await room.tell("pause")
            #expect(try await room.comes { room.told.contains { $0.hasPrefix("Stop") } })
            let place = try await room.number("time")
            try await room.tell("play")
            #expect(try await room.comes("going back there") { room.told.count { $0.hasPrefix("Seek ") } >= 2 })
            #expect(
                try await room.comes {
                    let time = try await room.number("time")
                    return time >= place - 1 && time < place + 10
                })
        case "onespeed", "eager":
            #expect(try await room.plays("Fake"))
            #expect(try await room.comes("its place") { try await room.number("time") > 5.5 })
            try await room.tell("rate 2")
            #expect(try await room.comes("the one it has") { try await room.number("rate") == 1 })
        default:
            // The renderer's answers are useless, but the app can send requests and stop casting.
            try await room.tell("pause", "play", "go 10", "volume 0.2", "uncast")
            #expect(try await room.line().hasPrefix("at here false"))
        }
        try await room.tell("end")
        #expect(try await room.comes("the end") { room.app.child.exitCode == 0 })
    }

    @Test("casting is refused for local or protected URLs and by the app")
    func notForOthers() async throws {
        let room = try await Room()
        try room.startFake()
        try await room.tell("look")
        #expect(try await room.routes("Fake"))
        // A server on the app's machine.
        try FileManager.default.copyItem(at: room.film.url, to: room.film.folder.appendingPathComponent("plain.mp4"))
        let line =
            room.network.prefix(.app) + ["python3", "-m", "http.server", "8000", "--directory", room.film.folder.path]
        let server = try ChildProcess(line[0], Array(line.dropFirst()))
        defer { server.send(SIGKILL) }
        func opens(_ command: String) async throws {
            #expect(
                try await room.comes("opening") {
                    try await room.tell(command)
                    return try await Deadline(seconds: 3).isMet {
                        try await room.line().contains("items 1 ")
                            && room.app.lines.last { $0.hasPrefix("at ") }?.contains("ready true") == true
                    }
                })
        }
        try await opens("address http://127.0.0.1:8000/plain.mp4")
        try await room.tell("cast Fake")
        #expect(try await room.comes { try await room.fact("error").contains("only valid on this computer") })
        try await opens("headers http://\(room.network.appAddress):8000/plain.mp4")
        try await room.tell("cast Fake")
        #expect(try await room.comes { try await room.fact("error").contains("headers, cookies or a password") })
        #expect(!room.told.contains { $0.hasPrefix("SetAVTransportURI") })
        // A URL that needs no headers is sent to the renderer unchanged.
        try await opens("address http://\(room.network.appAddress):8000/plain.mp4")
        try await room.tell("cast Fake")
        #expect(
            try await room.comes {
                room.told.contains {
                    $0.hasPrefix("SetAVTransportURI CurrentURI=http://\(room.network.appAddress):8000/plain.mp4")
                }
            })
        try await room.tell("external off")
        #expect(try await room.line().hasPrefix("at here false"))
        try await room.tell("cast Fake")
        #expect(try await room.line().hasPrefix("at here false"))
    }

    @Test("the renderer stops when the app exits")
    func appEnds() async throws {
        let room = try await Room()
        try room.startFake()
        try await room.tell("play")
        try await room.cast(to: "Fake")
        #expect(try await room.plays("Fake"))
        try await room.tell("end")
        #expect(try await room.comes { room.app.child.exitCode == 0 })
        #expect(try await room.comes("the command to stop") { room.told.last?.hasPrefix("Stop") == true })
    }
}
