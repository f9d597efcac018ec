import CGTK
import Foundation
import Presentation
import Zoetrope

/// A scene for `Benchmarks/run` that is measured for some seconds after it has settled. The last line of standard
/// output is JSON with the CPU seconds per second.
///
///     Benches UI state|gtk|idle|grid|captions|film|controls|fading SECONDS [FILE]
///     Benches UI first 0 FILE    ends when the first frame was shown
struct UIBench: App {
    var body: some Scene {
        WindowGroup("bench") { BenchView() }.defaultSize(width: 1280, height: 720)
    }

    static let mode = Benches.arguments.dropFirst().first ?? "state"
    static let seconds = Double(Benches.arguments.dropFirst(2).first ?? "") ?? 5
    static let file = Benches.arguments.dropFirst(3).first ?? "zoetrope"

    static func main() {
        if mode == "first" { return FirstFrame.runApp() }
        Meter.start(after: ["grid", "captions"].contains(mode) ? 12 : 2, for: seconds)
        if mode == "gtk" { PlainGTK.run() } else { runApp() }
    }
}

extension App {
    /// Calls the `main` of the protocol, which the `main` of `UIBench` hides.
    static func runApp() { main() }
}

extension UIBench {
    struct BenchView: View {
        var body: some View {
            switch UIBench.mode {
            case "idle":
                ExtVideoPlayer {
                    VideoSettings {
                        SourceName(UIBench.file)
                        NotAutoPlay()
                    }
                }
            case "grid":
                VStack(spacing: 4) {
                    ForEach(0..<4) { _ in
                        HStack(spacing: 4) {
                            ForEach(0..<4) { _ in LoopView() }
                        }
                    }
                }
            case "captions":
                VStack(spacing: 4) {
                    ForEach(0..<4) { row in
                        HStack(spacing: 4) {
                            ForEach(0..<4) { column in
                                LoopView().overlay(alignment: .bottomLeading) {
                                    Text(verbatim: "Loop \(row * 4 + column + 1), captioned").font(.caption)
                                        .foregroundStyle(.white).padding(4)
                                        .background(Color.black.opacity(0.6), in: RoundedRectangle(cornerRadius: 4))
                                        .padding(8)
                                }
                            }
                        }
                    }
                }
            case "film": LoopView()
            case "controls": LoopView().overlay { ControlsView() }
            case "fading": LoopView().overlay { FadingView() }
            default:
                StateTree()
            }
        }
    }

    /// The state of 200 views: 200 numbers, of which one changes 1,000 times per second.
    @Observable @MainActor final class Numbers {
        var values: [Number] = (0..<200).map { _ in Number() }
        private var next = 0
        private var timer: DispatchSourceTimer?

        func start() {
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now(), repeating: .milliseconds(1), leeway: .nanoseconds(0))
            timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.change() } }
            timer.resume()
            self.timer = timer
        }

        private func change() {
            values[next % 200].value += 1
            next += 1
            Meter.changes += 1
        }
    }

    @Observable @MainActor final class Number { var value = 0 }

    struct StateTree: View {
        @State private var numbers = Numbers()
        var body: some View {
            VStack(spacing: 2) {
                ForEach(0..<20) { row in
                    HStack(spacing: 2) {
                        ForEach(0..<10) { column in
                            NumberView(number: numbers.values[row * 10 + column])
                        }
                    }
                }
            }
            .onAppear { numbers.start() }
        }
    }

    struct NumberView: View {
        let number: Number
        var body: some View { Text(verbatim: "\(number.value)").frame(width: 100, height: 24) }
    }

    /// The same scene as `StateTree`, written with GtkLabels in a GtkGrid for comparison.
    @MainActor enum PlainGTK {
        static var labels: [OpaquePointer] = []
        static var values = [Int](repeating: 0, count: 200)
        static var timer: DispatchSourceTimer?
        static var next = 0

        static func run() {
            guard GTKStart.ensure(), let window = gtk_window_new(), let grid = gtk_grid_new() else { exit(1) }
            MainLoop.attach()
            for index in 0..<200 {
                guard let label = gtk_label_new("0") else { exit(1) }
                gtk_widget_set_size_request(label, 100, 24)
                gtk_grid_attach(
                    UnsafeMutablePointer<GtkGrid>(OpaquePointer(grid)), label, Int32(index % 10), Int32(index / 10), 1,
                    1)
                labels.append(OpaquePointer(label))
            }
            gtk_window_set_default_size(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)), 1280, 720)
            gtk_window_set_child(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)), grid)
            gtk_window_present(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)))
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now(), repeating: .milliseconds(1), leeway: .nanoseconds(0))
            timer.setEventHandler {
                MainActor.assumeIsolated {
                    values[next % 200] += 1
                    gtk_label_set_text(labels[next % 200], "\(values[next % 200])")
                    next += 1
                    Meter.changes += 1
                }
            }
            timer.resume()
            self.timer = timer
            MainLoop.run()
        }
    }

    /// A meter of this process that prints its result and ends the process.
    @MainActor enum Meter {
        static var changes = 0
        private static var begin = (cpu: 0.0, wall: 0.0, changes: 0)

        static func start(after settling: Double, for seconds: Double) {
            DispatchQueue.main.asyncAfter(deadline: .now() + settling) {
                MainActor.assumeIsolated { begin = (Usage.cpu(), Usage.wall(), changes) }
                DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
                    MainActor.assumeIsolated {
                        let span = Usage.wall() - begin.wall
                        Usage.end([
                            "cpuPerSecond": (Usage.cpu() - begin.cpu) / span,
                            "changesPerSecond": Double(changes - begin.changes) / span, "seconds": span,
                        ])
                    }
                }
            }
        }
    }
}
