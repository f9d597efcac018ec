import Foundation
import MediaCore
import Streaming
import Synchronization

/// The state that the pipeline's threads share, and their connections to the audio server, the displays and the reader.
final class PipelineContext: Sendable {
    let state: Guarded<PipelineState>
    /// The token that makes the reader stop early.
    let interrupt: InterruptToken
    let displays: DisplayWakes
    private let audioServer: String?
    private let device = Mutex<AudioDevice?>(nil)

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - title: The name that the audio server shows. If empty, it shows `AudioIdentity.name`.
    ///   - host: Returns the current host time.
    ///   - onEvents: Called on any thread when there are events for `PipelineState.takeEvents`.
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

    func report(_ event: PipelineEvent) { state.withLock { $0.report(event) } }

    /// Returns the connection to the audio server. Opens it on the first call.
    func audioDevice() -> AudioDevice {
        device.withLock { device in
            if let device { return device }
            let fresh = AudioDevice(server: audioServer)
            device = fresh
            return fresh
        }
    }

    /// Releases the audio server, the audio output and the source. Call it after the threads have ended.
    func close() {
        // The output is read only now: until the threads had ended, the audio thread might have opened or replaced it.
        let (source, output) = state.withLock { $0.clear() }
        source?.setOnChange(nil)
        source?.setPlayhead(nil)
        displays.removeAll()
        output?.close()
        device.withLock { $0 = nil }
    }

    // MARK: a remote source

    /// Makes `buffer` the remote source that supplies the packets of `entry`. Called on the feeder thread.
    ///
    /// - Parameter buffer: `nil` if all of the item is available locally.
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

    /// Removes the remote source, because nothing is open. Another player may play its item next.
    func detachSource() {
        let former = state.withLock { $0.detachSource() }
        former?.setOnChange(nil)
        former?.setPlayhead(nil)
    }

    func setForwardDuration(_ ahead: MediaTime) {
        let buffer = state.withLock {
            $0.buffering.forwardDuration = ahead
            return $0.buffering.source?.buffer
        }
        buffer?.setForwardDuration(ahead)
    }

    /// Applies this player's limits, forward buffer duration and interrupt token to the session of a stream.
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

/// The handlers that are called when the displayed content may have changed. Thread-safe.
final class DisplayWakes: Sendable {
    private let handlers = Mutex<(all: [Int: @Sendable () -> Void], next: Int)>(([:], 1))

    /// Adds a handler. It is not called after `remove` has returned.
    ///
    /// - Parameter wake: Called on any thread with the lock of the handlers held. It must only schedule work on its own
    ///   thread.
    /// - Returns: A token for `remove`.
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
