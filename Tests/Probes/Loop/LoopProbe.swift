import CGTK
@preconcurrency import CoreFoundation
import Presentation
import Zoetrope

/// A program without a window that runs GLib's main loop. It prints a line for each event that Foundation's run loop or
/// Combine delivers in it.
struct LoopProbe {
    @MainActor
    static func main() {
        let last = Probes.arguments.last ?? ""
        switch last {
        case "idle": Idle.begin()
        case "nested": Nested.begin()
        default: Turns.begin()
        }
        MainLoop.run()
    }
}

extension LoopProbe {
    /// Counts the turns of Foundation's run loop while nothing happens.
    @MainActor
    enum Idle {
        static func begin() {
            // A timer in the far future must not cost turns either.
            let far = Timer.scheduledTimer(withTimeInterval: 3600, repeats: false) { _ in }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
                MainActor.assumeIsolated {
                    let before = MainLoop.foundationTurns
                    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
                        MainActor.assumeIsolated {
                            print("turns \(MainLoop.foundationTurns - before)")
                            far.invalidate()
                            MainLoop.quit()
                        }
                    }
                }
            }
        }
    }

    /// A block of the main queue that runs GLib's loop itself.
    @MainActor
    enum Nested {
        static var fired = 0
        static func begin() {
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    RunLoop.main.add(
                        Timer(fire: Date(), interval: 0, repeats: false) { _ in MainActor.assumeIsolated { over() } },
                        forMode: .common)
                    RunLoop.main.perform { MainActor.assumeIsolated { over() } }
                    DispatchQueue.main.async { MainActor.assumeIsolated { over() } }
                    for _ in 0..<20 { g_main_context_iteration(nil, 0) }
                    print("within \(fired)")
                }
            }
        }
        static func over() {
            fired += 1
            guard fired == 3 else { return }
            print("after \(fired)")
            MainLoop.quit()
        }
    }

    /// All events that should be delivered. The program ends after the last one, or after 30 s.
    @MainActor
    enum Turns {
        static var open: Set<String> = []
        static var kept: Set<AnyCancellable> = []
        static let begin0 = Date()

        static func expect(_ name: String) { open.insert(name) }

        nonisolated static func happened(_ name: String, _ detail: String = "") {
            let isMain = Thread.isMainThread
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    guard open.remove(name) != nil else { return }
                    print("\(name) main=\(isMain)\(detail.isEmpty ? "" : " " + detail)")
                    if open.isEmpty { MainLoop.quit() }
                }
            }
        }

        static func begin() {
            let start = begin0
            DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
                print("timeout")
                exit(1)
            }

            expect("scheduled")
            nonisolated(unsafe) var ticks = 0
            _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { timer in
                ticks += 1
                guard ticks == 3 else { return }
                timer.invalidate()
                happened("scheduled", "ticks=3 late=\(Date().timeIntervalSince(start) >= 0.14)")
            }
            expect("added")
            RunLoop.main.add(
                Timer(fire: Date(timeIntervalSinceNow: 0.05), interval: 0, repeats: false) { _ in happened("added") },
                forMode: .common)
            expect("performed")
            RunLoop.main.perform { happened("performed") }

            for (name, thread) in [("signalled", DispatchQueue.main), ("signalled elsewhere", DispatchQueue.global())] {
                expect(name)
                nonisolated(unsafe) let source = self.source(name)
                thread.asyncAfter(deadline: .now() + 0.1) {
                    CFRunLoopSourceSignal(source)
                    MainLoop.wake()
                }
            }

            expect("published")
            Timer.publish(every: 0.3, on: .main, in: .common).autoconnect()
                .sink { _ in happened("published", "late=\(Date().timeIntervalSince(start) >= 0.29)") }.store(in: &kept)

            let name = Notification.Name("LoopProbe")
            expect("notified")
            NotificationCenter.default.publisher(for: name).map { $0.userInfo?["n"] as? Int ?? 0 }
                .sink { happened("notified", "n=\($0)") }.store(in: &kept)
            NotificationCenter.default.post(name: name, object: nil, userInfo: ["n": 7])

            // The loop sleeps by then, so that work scheduled by another thread must wake it.
            let subject = PassthroughSubject<Int, Never>()
            for name in ["runloop", "dispatch", "debounced", "debounced-dispatch", "throttled", "delayed", "operation"]
            {
                expect(name)
            }
            subject.receive(on: RunLoop.main).sink { happened("runloop", "n=\($0)") }.store(in: &kept)
            subject.receive(on: DispatchQueue.main).sink { happened("dispatch", "n=\($0)") }.store(in: &kept)
            subject.debounce(for: .milliseconds(50), scheduler: RunLoop.main).sink { happened("debounced", "n=\($0)") }
                .store(in: &kept)
            subject.debounce(for: .milliseconds(50), scheduler: DispatchQueue.main).sink {
                happened("debounced-dispatch", "n=\($0)")
            }.store(in: &kept)
            subject.throttle(for: .seconds(0.05), scheduler: RunLoop.main, latest: true).sink {
                happened("throttled", "n=\($0)")
            }.store(in: &kept)
            subject.delay(for: 0.05, scheduler: RunLoop.main).sink { happened("delayed", "n=\($0)") }.store(in: &kept)
            subject.receive(on: OperationQueue.main).sink { happened("operation", "n=\($0)") }.store(in: &kept)
            nonisolated(unsafe) let sent = subject
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.6) { sent.send(5) }
        }

        /// A source of Foundation's main run loop, as a port or socket would use it.
        private static func source(_ name: String) -> CFRunLoopSource? {
            var context = CFRunLoopSourceContext()
            // Retained for the lifetime of the process.
            context.info = Unmanaged.passRetained(NSString(string: name)).toOpaque()
            context.perform = { info in
                guard let info else { return }
                Turns.happened(String(describing: Unmanaged<NSString>.fromOpaque(info).takeUnretainedValue()))
            }
            let source = CFRunLoopSourceCreate(nil, 0, &context)
            CFRunLoopAddSource(CFRunLoopGetMain(), source, kCFRunLoopDefaultMode)
            return source
        }
    }
}
