import Foundation
import TestSupport
import Testing

/// Tests of the feed of the example TikTok, with its own model and pages, over a hundred videos (the probe `Feed`). The
/// tests swipe with the pointer.
@Suite("A feed of a hundred videos", .serialized)
struct FeedTests {
    /// A folder of videos as in a feed: 720 × 1280 at 30 fps. Videos with even numbers have an audio track, those with
    /// odd numbers have none.
    private final class Films {
        let folder: URL

        init(_ count: Int) async throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "zt-feed-\(UUID().uuidString.prefix(8))")
            let files = FileManager.default
            let folder = folder
            let (films, masters) = (folder.appendingPathComponent("films"), folder.appendingPathComponent("masters"))
            for each in [films, masters] { try files.createDirectory(at: each, withIntermediateDirectories: true) }
            // Different colors, so that no page is mistaken for another. Noise makes every frame different everywhere.
            let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4", "-c:a", "aac"]
            for (number, color) in ["0xc02020", "0x20a040", "0x2040c0", "0xc0c020"].enumerated() {
                let picture = ["-f", "lavfi", "-i", "color=\(color):s=720x1280:r=30:d=4,noise=alls=4:allf=t"]
                let code = try await offPool {
                    try ChildProcess(
                        "ffmpeg",
                        ["-v", "error", "-nostdin", "-y"] + picture + (number.isMultiple(of: 2) ? sound : [])
                            + [
                                "-c:v", "libx264", "-preset", "ultrafast", "-crf", "32", "-g", "60", "-pix_fmt",
                                "yuv420p", masters.appendingPathComponent("\(number).mp4").path,
                            ]
                    ).wait()
                }
                guard code == 0 else { throw AppProcess.NoAnswer(what: "ffmpeg ended with \(code)") }
            }
            for number in 0..<count {
                // Each video is its own file, so that nothing cached for one serves another.
                let name = String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number).mp4"
                try files.copyItem(
                    at: masters.appendingPathComponent("\(number % 4).mp4"), to: films.appendingPathComponent(name))
            }
        }
        var path: String { folder.appendingPathComponent("films").path }
        deinit { try? FileManager.default.removeItem(at: folder) }
    }
    private static let colors = [[192, 32, 32], [32, 160, 64], [32, 64, 192], [192, 192, 32]]

    private final class Probe: @unchecked Sendable {
        let display: PrivateDisplay
        let app: AppProcess
        private let films: Films
        var page = 0
        /// The position and size of the window.
        private var (x, y, width, height) = (0, 0, 0, 0)

        init(_ count: Int, sound: PrivateSoundServer? = nil) async throws {
            films = try await Films(count)
            // malloc returns freed frames to the system at once, so that the measured memory excludes malloc's own
            // cache.
            var environment = ["MALLOC_MMAP_THRESHOLD_": "262144"]
            if let sound { environment["PULSE_SERVER"] = sound.address }
            display = try await PrivateDisplay.launch()
            app = try AppProcess("Feed", [films.path], environment: environment, display: display)
            try await app.wait(for: "ready")
            let display = display
            let words = try await until { () -> [Int]? in
                guard let window = try display.window("Feed") else { return nil }
                let values = try display.xdotool(["getwindowgeometry", "--shell", window]).split(separator: "\n")
                    .reduce(into: [String: Int]()) { all, line in
                        let parts = line.split(separator: "=")
                        if parts.count == 2 { all[String(parts[0])] = Int(parts[1]) }
                    }
                guard let x = values["X"], let y = values["Y"], let width = values["WIDTH"],
                    let height = values["HEIGHT"], height > 100
                else { return nil }
                return [x, y, width, height]
            }
            guard let words else { throw AppProcess.NoAnswer(what: "no window; \(app.errors.suffix(500))") }
            (x, y, width, height) = (words[0], words[1], words[2], words[3])
            try app.send("begin")
            try await app.wait(for: "prepared 1")
        }
        deinit { display.close() }

        /// Returns a point at a fraction of the page's width and height.
        func point(_ across: Double, _ down: Double) -> (x: Int, y: Int) {
            (x + Int(Double(width) * across), y + Int(Double(height) * down))
        }

        /// Drags from one height of the page to another (fractions of its height), and releases the button unless
        /// `holds`.
        func drag(from start: Double, to end: Double, holds: Bool = false) throws {
            let places = [0, 0.1, 0.4, 0.7, 1].map { point(0.4, start + (end - start) * $0) }
            var words: [String] = []
            for (number, place) in places.enumerated() {
                // `--sync` waits for a motion. The first move may be to the pointer's own position, and the wait would
                // not end.
                words +=
                    ["mousemove"] + (number == 0 ? [] : ["--sync"]) + ["\(place.x)", "\(place.y)"]
                    + (number == 0 ? ["mousedown", "1"] : [])
            }
            try display.xdotool(words + (holds ? [] : ["mouseup", "1"]))
        }

        struct Page { let number: Int, frames: Int, own: Float, others: Float, players: Int }
        /// Waits for the report about the page that a swipe has reached.
        func turned() async throws -> Page {
            let words = try await app.wait(for: "page ").split(separator: " ").map(String.init)
            guard words.count == 10, let number = Int(words[1]), let frames = Int(words[3]), let own = Float(words[5]),
                let others = Float(words[7]), let players = Int(words[9])
            else {
                throw AppProcess.NoAnswer(what: words.joined(separator: " "))
            }
            return Page(number: number, frames: frames, own: own, others: others, players: players)
        }

        struct Facts { let made: Int, live: Int, players: Int, feeders: Int, swiped: Int, own: Int, resident: Int }
        /// Returns the facts once `isWanted` accepts them, or the last ones after the deadline. It repeats because the
        /// system may list a joined thread for a moment.
        func facts(_ isWanted: (Facts) -> Bool) async throws -> Facts {
            var facts = try await facts()
            try await eventually("other facts", seen: { "\(facts)" }) {
                if isWanted(facts) { return true }
                facts = try await self.facts()
                return isWanted(facts)
            }
            return facts
        }
        func facts() async throws -> Facts {
            try app.send("facts")
            let values = try await app.wait(for: "facts ").split(separator: " ").compactMap { Int($0) }
            guard values.count == 7 else { throw AppProcess.NoAnswer(what: "facts") }
            return Facts(
                made: values[0], live: values[1], players: values[2], feeders: values[3], swiped: values[4],
                own: values[5], resident: values[6])
        }

        /// Waits until a point of the page has about `color`. Returns false after the deadline.
        func shows(_ color: [Int], _ across: Double, _ down: Double) async throws -> Bool {
            let at = point(across, down)
            return try await until { try self.display.screenshot().isNear(at.x, at.y, color, within: 30) ? true : nil }
                == true
        }
        /// Drags and holds until a point of the page has about `color`. It repeats because a press while the page still
        /// moves may be ignored. Returns false after the deadline.
        func pull(from start: Double, to end: Double, until color: [Int], _ across: Double, _ down: Double)
            async throws -> Bool
        {
            let at = point(across, down)
            return try await until { () -> Bool? in
                try self.drag(from: start, to: end, holds: true)
                let isThere = try Deadline(seconds: 20).poll { () -> Bool? in
                    try self.display.screenshot().isNear(at.x, at.y, color, within: 30) ? true : nil
                }
                if isThere == nil { try self.display.xdotool(["mouseup", "1"]) }
                return isThere
            } == true
        }
        var isQuiet: Bool {
            !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") && !app.errors.contains("⚠")
        }
    }

    // A swipe displays the next video's frame within one display refresh, and no other video plays.
    @Test("swiping stays within three players, 64 MiB and one display refresh", .timeLimit(.minutes(10)))
    func hundred() async throws {
        let probe = try await Probe(100)
        #expect(try await probe.shows(Self.colors[0], 0.5, 0.3))
        for number in 1..<100 {
            try probe.drag(from: 0.8, to: 0.2)
            let page = try await probe.turned()
            #expect(
                page.number == number && page.frames <= 1 && page.own == 1 && page.others == 0 && page.players <= 3,
                "\(page)")
            if number < 99 { try await probe.app.wait(for: "prepared \(number + 1)") }
        }
        #expect(try await probe.shows(Self.colors[99 % 4], 0.5, 0.3))
        let facts = try await probe.facts { $0.players == 2 && $0.live == 2 }
        // Each of the hundred players was made only once.
        #expect(facts.made == 100 && facts.live == 2 && facts.players == 2, "\(facts)")
        #expect((1...3).contains(facts.feeders), "\(facts)")
        // The highest private memory, in KiB, above that of the first page and its neighbor. It includes a third player
        // and anything that 99 pages leave behind.
        #expect(facts.swiped <= 64 * 1024, "\(facts)")
        #expect(probe.isQuiet, "\(probe.app.errors.suffix(2000))")
        print("feed of 100: \(facts)")
    }

    @Test("the next video is visible during a swipe; a short swipe returns")
    func underTheFinger() async throws {
        let probe = try await Probe(5)
        try probe.drag(from: 0.8, to: 0.2, holds: true)
        #expect(try await probe.shows(Self.colors[1], 0.5, 0.9))
        #expect(try await probe.shows(Self.colors[0], 0.5, 0.1))
        try probe.display.xdotool(["mouseup", "1"])
        let page = try await probe.turned()
        #expect(page.number == 1 && page.frames <= 1, "\(page)")
        #expect(try await probe.shows(Self.colors[1], 0.5, 0.1))
        // A drag by a fifth of the height is not a swipe, and there is no page before the first.
        try await probe.app.wait(for: "prepared 2")
        #expect(try await probe.pull(from: 0.6, to: 0.4, until: Self.colors[2], 0.5, 0.95))
        try probe.display.xdotool(["mouseup", "1"])
        #expect(try await probe.shows(Self.colors[1], 0.5, 0.95))
        // A press while the page still moves may be ignored, so repeat the swipe.
        try await probe.app.wait(for: "turned 0") { try probe.drag(from: 0.2, to: 0.8) }
        expectEqual(try await probe.turned().number, 0)
        // Above the first page is the black background.
        #expect(try await probe.pull(from: 0.2, to: 0.8, until: [0, 0, 0], 0.5, 0.1))
        try probe.display.xdotool(["mouseup", "1"])
        #expect(try await probe.shows(Self.colors[0], 0.5, 0.1))
        #expect(try await probe.shows(Self.colors[0], 0.5, 0.95))
        // Repeat only after a long time, because a second swipe would reach the third page.
        try await probe.app.wait(for: "turned 1", every: 20) { try probe.drag(from: 0.8, to: 0.2) }
        expectEqual(try await probe.turned().number, 1)
        // Wait: the third page's player is made again only after its old one is released.
        expectEqual(try await probe.facts { $0.made == 4 }.made, 4)
        #expect(probe.isQuiet, "\(probe.app.errors.suffix(2000))")
    }

    @Test("only the current page is audible, also after swiping back")
    func silence() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let probe = try await Probe(6, sound: server)
        let recording = try await server.record()
        // Waits until half a second of the recording is audible, or silent. Returns false after the deadline.
        func ends(loud isLoud: Bool) async throws -> Bool {
            let from = try recording.samples().count
            return try await until {
                let now = try recording.samples().dropFirst(from).suffix(24_000)
                guard now.count == 24_000 else { return nil }
                return (isLoud ? now.contains { abs($0) > 0.01 } : now.allSatisfy { $0 == 0 }) ? true : nil
            } == true
        }
        #expect(try await ends(loud: true))
        try probe.drag(from: 0.8, to: 0.2)
        expectEqual(try await probe.turned().others, 0)
        #expect(try await ends(loud: false))
        try await probe.app.wait(for: "prepared 2")
        try probe.drag(from: 0.8, to: 0.2)
        expectEqual(try await probe.turned().number, 2)
        #expect(try await ends(loud: true))
        try probe.drag(from: 0.2, to: 0.8)
        expectEqual(try await probe.turned().number, 1)
        #expect(try await ends(loud: false))
        _ = try await recording.finish()
    }

    @Test("fast swiping never needs a fourth player; closing releases all")
    func hasty() async throws {
        let probe = try await Probe(30)
        // A press while pages still move may be ignored, so repeat the swipe.
        for page in Array(1...20) + Array((12...19).reversed()) {
            let isForth = probe.page < page
            try await probe.app.wait(for: "turned \(page)") {
                try probe.drag(from: isForth ? 0.8 : 0.2, to: isForth ? 0.2 : 0.8)
            }
            probe.page = page
        }
        let facts = try await probe.facts { $0.players == 3 && $0.live == 3 }
        #expect(facts.players == 3 && facts.live == 3 && facts.feeders <= 3, "\(facts)")
        try probe.app.send("end")
        expectEqual(try await probe.facts { $0.players == 0 }.players, 0)
        #expect(probe.isQuiet, "\(probe.app.errors.suffix(2000))")
    }
}
