import CGTK
import Foundation
import Presentation
import VideoPlayerContainer
import Zoetrope

/// The feed of the example app TikTok, with its model and pages, for the videos of a folder. It reads commands, one per
/// line, from the pipe named by `--input`, and prints events, one per line.
struct FeedProbe: App {
    @StateObject private var model = ProbeModel()
    var body: some Scene {
        WindowGroup("Feed") {
            ZStack {
                if let feed = model.feed { FeedView(feed: feed, isSeen: true) }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .background(Color.black)
            .onAppear { model.listen() }
        }
        .defaultSize(width: 405, height: 720)
    }
}

extension FeedProbe {
    nonisolated static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    @MainActor
    final class ProbeModel: ObservableObject {
        @Published private(set) var feed: Feed?
        private var input: DispatchSourceRead?
        private var pending = ""
        private var current: AnyCancellable?
        private var players: [WeakPlayer] = []
        private let watch = ProcessWatch()
        /// The page that has not displayed its frame yet, and the number of display refreshes since the end of the
        /// swipe.
        private var awaited: (page: Int, frames: Int)?
        /// The neighbor that was last reported as ready.
        private var readyPage = 0
        private var isLookingAgain = false

        func listen() {
            guard input == nil, Probes.arguments.count > 2 else { return }
            let descriptor = open(Probes.arguments[2], O_RDWR)
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
            source.setEventHandler { [weak self] in
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(descriptor, &bytes, bytes.count)
                let text = count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
                MainActor.assumeIsolated { self?.take(text) }
            }
            source.resume()
            input = source
            // The window is on the screen one turn of the main loop later.
            DispatchQueue.main.async { MainActor.assumeIsolated { say("ready") } }
        }

        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                perform(line)
            }
        }

        private func perform(_ line: String) {
            switch line {
            case "begin": begin()
            case "facts":
                watch.look()
                say("facts \(players.count) \(live.count) \(players.count { $0.player != nil }) \(watch.words)")
            case "end":
                current = nil
                feed = nil
            default: say("unknown \(line)")
            }
        }

        private var live: [Context] { (feed?.contexts.values).map(Array.init) ?? [] }

        private func begin() {
            let folder = URL(fileURLWithPath: Probes.arguments.dropFirst(3).first ?? ".")
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
            watch.begin()
            let feed = Feed(
                films: names.map { FeedFilm(url: folder.appendingPathComponent($0), author: "@probe", text: $0) }
            ) { [weak self] context, film in
                FeedControls.arrange(context, film)
                self?.players.append(WeakPlayer(player: context.render.player))
            }
            // The value is published at the end of the swipe, before the feed changes anything.
            current = feed.$current.dropFirst().sink { [weak self] page in
                MainActor.assumeIsolated { self?.turned(to: page) }
            }
            self.feed = feed
            countFrames()
            follow()
        }

        private func turned(to page: Int) {
            say("turned \(page)")
            awaited = (page, 0)
            if hasPicture(page) { told() }
        }

        /// Whether the page has displayed a frame.
        private func hasPicture(_ page: Int) -> Bool {
            guard let layer = feed?.contexts[page]?.render.layer, let view = layer.display as? PlayerView else {
                return false
            }
            return layer.isReadyForDisplay && view.presentedCount > 0
        }

        private func told() {
            guard let awaited else { return }
            self.awaited = nil
            // Wait for everything that the change of the page causes.
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated {
                    guard let self, let feed = self.feed else { return }
                    self.watch.look()
                    let others = feed.contexts.filter { $0.key != feed.current }.map { $0.value.render.player.rate }
                    let own = feed.contexts[feed.current]?.render.player.rate ?? 0
                    say(
                        "page \(awaited.page) frames \(awaited.frames) own \(own) others \(others.max() ?? 0) players \(self.players.count { $0.player != nil })"
                    )
                }
            }
        }

        // MARK: display refreshes

        private func countFrames() {
            guard let windows = gtk_window_get_toplevels(), let window = g_list_model_get_item(windows, 0) else {
                return say("no window")
            }
            defer { g_object_unref(window) }
            let widget = window.assumingMemoryBound(to: GtkWidget.self)
            guard let clock = gtk_widget_get_frame_clock(widget) else { return say("no clock") }
            let passed: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated {
                    if let me { Unmanaged<ProbeModel>.fromOpaque(me).takeUnretainedValue().framePassed() }
                }
            }
            g_signal_connect_data(
                UnsafeMutableRawPointer(clock), "after-paint", unsafeBitCast(passed, to: GCallback.self),
                Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
        }

        private func framePassed() {
            if let page = awaited?.page {
                awaited?.frames += 1
                if hasPicture(page) { told() }
            }
            follow()
        }

        /// Reports once per page that the next page is ready.
        private func follow() {
            guard let feed, feed.current + 1 > readyPage else { return }
            let next = feed.current + 1
            let isReady = next >= feed.films.count || hasPicture(next)
            guard isReady, hasPicture(feed.current) else {
                // The page may become ready without a redraw, so check again later.
                guard !isLookingAgain else { return }
                isLookingAgain = true
                return DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
                    MainActor.assumeIsolated {
                        self?.isLookingAgain = false
                        self?.follow()
                    }
                }
            }
            if next == 1 { watch.firstPageStands() }
            readyPage = next
            say("prepared \(next)")
        }
    }

    private struct WeakPlayer {
        weak var player: AVPlayer?
    }
}
