import CGTK
import Foundation
import Zoetrope

/// A window with many views, of which one at a time changes.
struct ViewScale: App {
    private static let begin = Usage.wall()
    private static var count = 0
    private static let numbers = Numbers(count)

    var body: some Scene {
        WindowGroup("bench") {
            ScrollView {
                VStack(spacing: 2) {
                    ForEach(0..<max(1, Self.count / 10)) { row in
                        HStack(spacing: 2) {
                            ForEach(0..<min(10, Self.count)) { column in
                                NumberView(number: Self.numbers.values[row * 10 + column])
                            }
                        }
                    }
                }
            }
        }
        .defaultSize(width: 1280, height: 720)
    }

    static func run(_ count: Int) {
        self.count = count
        _ = begin
        FrameClock.whenPainted {
            let started = Usage.wall() - begin
            numbers.start()
            Task { @MainActor in
                try? await Task.sleep(nanoseconds: 2_000_000_000)
                let (wall, cpu, changes) = (Usage.wall(), Usage.cpu(), numbers.changes)
                try? await Task.sleep(nanoseconds: 4_000_000_000)
                let span = Usage.wall() - wall
                Usage.end([
                    "startSeconds": started, "cores": (Usage.cpu() - cpu) / span, "memory": Usage.memory(),
                    "changesPerSecond": Double(numbers.changes - changes) / span,
                ])
            }
        }
        main()
    }

    /// Numbers, of which the first two hundred, which are visible, change in turns.
    @MainActor
    final class Numbers {
        let values: [UIBench.Number]
        private(set) var changes = 0
        private var timer: (any DispatchSourceTimer)?

        init(_ count: Int) { values = (0..<max(10, count)).map { _ in UIBench.Number() } }

        func start() {
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now(), repeating: .milliseconds(1), leeway: .nanoseconds(0))
            timer.setEventHandler { [weak self] in
                MainActor.assumeIsolated {
                    guard let self else { return }
                    self.values[self.changes % min(200, self.values.count)].value += 1
                    self.changes += 1
                }
            }
            timer.resume()
            self.timer = timer
        }
    }

    private struct NumberView: View {
        let number: UIBench.Number
        var body: some View { Text(verbatim: "\(number.value)").frame(width: 100, height: 24) }
    }
}

/// A list with many rows that scrolls by a hundred rows per second.
struct ListScale: App {
    private static var count = 0
    private static let place = Place()

    var body: some Scene {
        WindowGroup("bench") { Rows(count: Self.count, place: Self.place) }.defaultSize(width: 640, height: 720)
    }

    static func run(_ count: Int) {
        self.count = count
        FrameClock.whenPainted {
            Task { @MainActor in
                try? await Task.sleep(nanoseconds: 1_000_000_000)
                let before = Usage.memory()
                var middle = before
                FrameClock.measure()
                let begin = Usage.wall()
                while Usage.wall() - begin < 10 {
                    // A hundred rows per second: a fast scroll with a wheel.
                    place.row = min(count - 1, Int((Usage.wall() - begin) * 100))
                    if Usage.wall() - begin > 5, middle == before { middle = Usage.memory() }
                    try? await Task.sleep(nanoseconds: 8_000_000)
                }
                let frames = FrameClock.frames.sorted()
                guard !frames.isEmpty else { fail("no frame was drawn while the list scrolled") }
                Usage.end([
                    "frames": Double(frames.count), "medianMs": frames[frames.count / 2], "maxMs": frames.last ?? 0,
                    "p99Ms": frames[frames.count * 99 / 100], "over16": Double(frames.count { $0 > 16 }),
                    "startMemory": before, "middleMemory": middle, "memory": Usage.memory(),
                ])
            }
        }
        main()
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("Benches: \(reason)\n".utf8))
        exit(1)
    }

    @Observable @MainActor final class Place { var row = 0 }

    private struct Rows: View {
        let count: Int
        let place: Place
        var body: some View {
            ScrollViewReader { proxy in
                List(0..<count, id: \.self) { row in
                    HStack {
                        Text(verbatim: "Video \(row)")
                        Spacer()
                        Text(verbatim: "\(row % 60):\(row % 50 + 10)").foregroundStyle(.secondary)
                    }
                }
                .background { Follower(place: place, proxy: proxy) }
            }
        }
    }

    /// A view that scrolls the list. The list itself does not depend on the position.
    private struct Follower: View {
        let place: Place
        let proxy: ScrollViewProxy
        var body: some View {
            Color.clear.onChange(of: place.row) { _, row in proxy.scrollTo(row, anchor: .top) }
        }
    }
}

/// The frame clock of the only window.
@MainActor
enum FrameClock {
    /// The CPU time of the main thread from frame to frame, in milliseconds.
    private(set) static var frames: [Double] = []
    private static var last: Double?
    private static var whenPainted: (@MainActor () -> Void)?
    private static var isMeasuring = false

    /// Calls `action` when the window was painted for the first time.
    static func whenPainted(_ action: @escaping @MainActor () -> Void) {
        whenPainted = action
        DispatchQueue.main.async { MainActor.assumeIsolated { attach() } }
    }

    static func measure() { isMeasuring = true }

    private static func attach() {
        guard let windows = gtk_window_get_toplevels(), let window = g_list_model_get_item(windows, 0),
            let clock = gtk_widget_get_frame_clock(window.assumingMemoryBound(to: GtkWidget.self))
        else {
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.002) { MainActor.assumeIsolated { attach() } }
            return
        }
        let painted: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, _ in
            MainActor.assumeIsolated { FrameClock.painted() }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(clock), "after-paint", unsafeBitCast(painted, to: GCallback.self), nil, nil,
            GConnectFlags(0))
    }

    private static func painted() {
        let now = Usage.thread()
        if isMeasuring, let last { frames.append(now - last) }
        last = isMeasuring ? now : nil
        if let action = whenPainted {
            whenPainted = nil
            action()
        }
    }
}
