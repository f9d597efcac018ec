import Foundation
import MediaCore
import Streaming
import Synchronization

/// What the pipeline's threads work with: their shared state, and how the outside is reached.
final class PipelineContext: Sendable {
    let state: Guarded<PipelineState>
    /// How the reader is told to break off.
    let interrupt: InterruptToken
    let displays: DisplayWakes
    private let audioServer: String?
    private let device = Mutex<AudioDevice?>(nil)

    /// - Parameters:
    ///   - title: what the audio server shows; empty for the process's name.
    ///   - host: the machine's time.
    ///   - onEvents: called on any thread when there are events to take (`PipelineState.takeEvents`).
    init(
        title: String, audioServer: String?, host: @escaping @Sendable () -> HostTime = { .now() },
        onEvents: @escaping @Sendable () -> Void
    ) {
        self.audioServer = audioServer
        let interrupt = InterruptToken()
        let displays = DisplayWakes()
        var initial = PipelineState(interrupt: interrupt, host: host)
        initial.settings.title = title
        state = Guarded(initial) { effect in
            switch effect {
            case .eventsPending: onEvents()
            case .wakeDisplays: displays.wake()
            case .wakeReader: interrupt.wake()
            case .wakeProducer(let output): output.wakeProducer()
            }
        }
        self.interrupt = interrupt
        self.displays = displays
    }

    func tell(_ event: PipelineEvent) { state.withLock { $0.tell(event) } }

    /// The way to the sound server, opened when the first sound is met.
    func audioDevice() -> AudioDevice {
        device.withLock { device in
            if let device { return device }
            let fresh = AudioDevice(server: audioServer)
            device = fresh
            return fresh
        }
    }

    /// The threads are gone: frees what they left.
    func close() {
        // Asked only now: the audio thread may have been opening one, or putting another in its place.
        let (source, output) = state.withLock { $0.clear() }
        source?.setOnChange(nil)
        source?.setPlayhead(nil)
        displays.removeAll()
        output?.close()
        device.withLock { $0 = nil }
    }

    // MARK: a remote source

    /// What is fed comes from `buffer` from now on; nil: it is all at hand. The feeder.
    func attach(_ buffer: (any SourceBuffer)?, of entry: PlaybackEntry) {
        let (former, ahead) = state.withLock { ($0.attach(buffer, of: entry), $0.buffering.forwardDuration) }
        former?.setOnChange(nil)
        former?.setPlayhead(nil)
        guard let buffer else { return }
        buffer.setForwardDuration(ahead)
        buffer.setPlayhead { [weak self, weak entry] in
            guard let entry else { return nil }
            return self?.state.withLock { $0.shownTime(of: entry) }
        }
        buffer.setOnChange { [weak self] in self?.state.withLock { $0.bufferChanged() } }
        state.withLock { $0.bufferChanged() }
    }

    func setForwardDuration(_ ahead: MediaTime) {
        let buffer = state.withLock {
            $0.buffering.forwardDuration = ahead
            return $0.buffering.source?.buffer
        }
        buffer?.setForwardDuration(ahead)
    }

    /// What this player asks of a stream.
    func tune(_ session: HLSSession, of entry: PlaybackEntry) {
        let (size, ahead) = state.withLock { ($0.settings.displaySize, $0.buffering.forwardDuration) }
        if let size { entry.limit { $0.displaySize = .init(width: size.width, height: size.height) } }
        session.setLimits(entry.limits)
        session.setForwardDuration(ahead.nanoseconds)
        let interrupt = interrupt
        session.setInterrupt({ interrupt.isInterrupted || interrupt.isOverTime }, preemption: { interrupt.isPreempted })
        interrupt.addWaker(session) { [weak session] in session?.wake() }
    }
}

/// Who is woken when what a display shows may have changed. Any thread.
final class DisplayWakes: Sendable {
    private let handlers = Mutex<(all: [Int: @Sendable () -> Void], next: Int)>(([:], 1))

    /// - Parameter wake: only posts to its own thread. Not called any more once it was removed.
    func add(_ wake: @escaping @Sendable () -> Void) -> Int {
        handlers.withLock { handlers in
            defer { handlers.next += 1 }
            handlers.all[handlers.next] = wake
            return handlers.next
        }
    }
    func remove(_ token: Int) { handlers.withLock { $0.all[token] = nil } }
    func removeAll() { handlers.withLock { $0.all = [:] } }
    func wake() { handlers.withLock { for wake in $0.all.values { wake() } } }
}
