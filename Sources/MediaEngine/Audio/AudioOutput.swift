import CPulse
import MediaCore
import Synchronization

/// A player's connection to an audio server. The player keeps it from its first audio until the player ends, so that it
/// connects only once.
package final class AudioDevice: Sendable {
    let connection: PulseConnection?
    /// Whether the player has been notified that there is no server.
    let didReportMissing = Atomic<Bool>(false)

    /// Creates a device without waiting for the server.
    ///
    /// - Parameter server: The server string, as in `PULSE_SERVER`; `nil` for the server of the user's session.
    package init(server: String?) { connection = PulseConnection.acquire(server: server) }
    deinit { if let connection { PulseConnection.release(connection) } }

    /// Returns the output format for a source. It has the source's sample rate, clamped to 8,000…192,000 Hz (the server
    /// resamples), and the channels that the device supports. Waits until the server has first described its device, at
    /// most 250 ms.
    package func preferredFormat(channelMask: UInt64, sampleRate: Int) -> AudioFormat {
        AudioFormat(
            sampleRate: min(max(sampleRate, 8000), 192_000),
            channelMask: PulseChannels.preferred(source: channelMask, device: connection?.deviceMask()))
    }
}

/// An audio output: a ring buffer that the audio server empties, and the position that is audible.
///
/// The output works the same without a server: while there is none, the ring buffer is emptied in silence at its sample
/// rate. When a server appears, the audio continues at the current position. Silence also replaces a device that does
/// not play for two seconds, or reports that it will not play.
///
/// No method waits for the server. `waitForSpace(frames:)` waits for space in the ring. The output exists until
/// `close()` is called.
package final class AudioOutput: @unchecked Sendable {
    // All mutable state is guarded by `locked`, which libpulse holds during callbacks. The ring, the position, the
    // gain's targets and the atomics are thread-safe themselves.
    package let format: AudioFormat
    let ring: PCMRing
    let position: HeardPosition
    let gain: GainRamp
    private(set) var title: String
    let device: AudioDevice
    let onEvent: @Sendable (AudioOutputEvent) -> Void

    /// The stream on the server; `nil` if there is no server or the stream has not been created.
    var stream: OpaquePointer?
    var isClosed = false
    var server = ServerStream()
    var silence = Silence()
    var motion: DeviceMotion
    var due = Deadlines()
    private var pump: SilentPump?
    let shared = Shared()

    /// The duration of the audio that the server and its device hold, in seconds. A change of the volume is audible
    /// after this time.
    static let serverLatency = 0.12

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - title: The name in the server's mixer. If empty, it is `AudioIdentity.name`.
    ///   - ringSeconds: The maximum time by which the producer may be ahead of the server, in seconds.
    ///   - onEvent: Called on libpulse's thread with its lock held, so it must only schedule work and return.
    package convenience init(
        device: AudioDevice, format: AudioFormat, title: String, ringSeconds: Double = 0.25,
        onEvent: @escaping @Sendable (AudioOutputEvent) -> Void
    ) {
        self.init(
            device: device, format: format, title: title, ringSeconds: ringSeconds, watch: DeviceWatch(),
            onEvent: onEvent)
    }

    init(
        device: AudioDevice, format: AudioFormat, title: String, ringSeconds: Double, watch: DeviceWatch,
        onEvent: @escaping @Sendable (AudioOutputEvent) -> Void
    ) {
        self.device = device
        motion = DeviceMotion(watch: watch)
        self.format = format
        self.title = title
        self.onEvent = onEvent
        // A pause returns to the audible position, so the history covers what the server and a slow device (Bluetooth)
        // may hold.
        ring = PCMRing(
            channels: format.channelCount, capacity: Int(Double(format.sampleRate) * ringSeconds),
            history: Int(Double(format.sampleRate) * (AudioOutput.serverLatency + 0.2)))
        position = HeardPosition(sampleRate: format.sampleRate)
        gain = GainRamp(sampleRate: format.sampleRate, channels: format.channelCount)
        if let connection = device.connection {
            connection.locked {
                due.timer = connection.newTimer(at: nil, user: Unmanaged.passUnretained(self).toOpaque()) {
                    _, _, _, user in
                    AudioOutput.from(user)?.tick()
                }
                connection.add(self)
            }
        } else {
            pump = SilentPump { [weak self] in self?.tick() }
        }
    }

    /// Ends the stream and an interruption, and wakes the producer. No callback is called afterward. Further calls do
    /// nothing.
    package func close() {
        locked {
            guard !isClosed else { return }
            isClosed = true
            shared.running.store(false, ordering: .releasing)
            silence.isOn = false
            position.stop(limit: ring.writtenFrames)
            endInterruptionOfStream()
            dropStream()
            if let timer = due.timer { device.connection?.freeTimer(timer) }
            due.timer = nil
            device.connection?.remove(self)
        }
        ring.wakeProducer()
        pump?.close()
    }

    private func locked<T>(_ body: () -> T) -> T {
        device.connection.map { $0.locked(body) } ?? pump.map { $0.locked(body) } ?? body()
    }

    // MARK: producer

    /// The number of frames written since creation.
    package var writtenFrames: Int64 { Int64(ring.writtenFrames) }
    /// Writes as many interleaved frames as fit, without waiting.
    ///
    /// - Returns: The number of frames written.
    package func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int { ring.write(samples, frames: frames) }
    /// Waits until `frames` frames fit, or until `wakeProducer()` is called.
    package func waitForSpace(frames: Int) { ring.waitForSpace(frames) }
    /// Ends the wait of the producer. Thread-safe.
    package func wakeProducer() { ring.wakeProducer() }
    /// Sets whether the last sample has been written, so that the silence that follows is not an underrun.
    package func setDraining(_ new: Bool) {
        guard shared.draining.exchange(new, ordering: .acquiringAndReleasing) != new else { return }
        locked {
            guard let stream, server.isReady else { return }
            if new {
                drain(stream)
            } else {
                dropDrainage()
                if server.isDrained, isRunning, !motion.isReplacedBySilence, due.fadeEnd == .max {
                    return begin(stream)
                }
                // The server requested samples while there were none, and does not repeat the request.
                feed(stream, Int(clamping: pa_stream_writable_size(stream)))
            }
        }
    }
    /// The number of times that the audio ran out during playback.
    package var underrunCount: Int { shared.underruns.load(ordering: .relaxed) }

    // MARK: player

    /// Returns the number of frames heard by `hostTime` since creation, with a fraction. The value increases with
    /// `hostTime` and never exceeds the written frames. Thread-safe: takes no lock and sends no request to the server.
    package func playedFrames(atHostTime hostTime: HostTime) -> Double {
        position.frames(at: hostTime, limit: ring.writtenFrames)
    }

    /// Whether the output is connected to a server.
    package var isConnected: Bool { locked { server.isReady } }
    /// Whether the audio plays on a device that advances.
    package var isAudible: Bool { locked { server.isReady && isRunning && !motion.isReplacedBySilence } }
    package var isRunning: Bool { shared.running.load(ordering: .acquiring) }

    /// Starts at the current position. Fades in over 10 ms, except at the very beginning. Ends an interruption that the
    /// server requested.
    package func start() {
        locked {
            guard !isClosed, !isRunning else { return }
            shared.running.store(true, ordering: .releasing)
            // The server reports the end of its request only to paused streams.
            endInterruption(for: .request)
            // If a pause is still fading out, `endFade` starts the audio afterward.
            if due.fadeEnd == .max { resume() }
            arm()
        }
    }

    /// Stops the position immediately. The audio fades out over 10 ms as soon as the device allows it. Samples that
    /// have not been heard are played after the next `start()`.
    package func pause() {
        locked {
            guard isRunning else { return }
            shared.running.store(false, ordering: .releasing)
            position.stop(limit: ring.writtenFrames)
            let wasReplaced = motion.isReplacedBySilence
            silence.isOn = false
            motion.isReplacedBySilence = false
            motion.isStarving = false
            due.serverTimeout = .max
            if let stream, server.isReady, due.fadeEnd == .max {
                // For a call, the server has already muted the stream. If the call ended during a fade-out, the server
                // would not report its end, as the stream would not be corked yet.
                if wasReplaced || server.interruption.contains(.request) { hold(stream) } else { fadeOut(stream) }
            }
            arm()
        }
    }

    /// Discards all samples that have not been heard. Afterward, `playedFrames` equals `writtenFrames`. The producer
    /// must not write at the same time.
    package func flush() {
        locked {
            let end = ring.writtenFrames
            ring.move(to: end)
            position.jump(to: Double(end), isReported: !silence.isOn)
            gain.begin(at: end, fadingIn: true)
            // During a fade-out, the server holds only the rest of the fade-out, and `endFade()` discards that later.
            if let stream, server.isReady, due.fadeEnd == .max {
                if motion.isReplacedBySilence { probe(stream) } else { flushServer(stream) }
            }
        }
    }

    /// Sets the volume, clamped to 0…1. The change is complete after 15 ms of audio. Thread-safe.
    package func setVolume(_ volume: Float) { gain.setVolume(volume) }
    package func setMuted(_ muted: Bool) { gain.setMuted(muted) }

    /// Sets the name in the server's mixer.
    ///
    /// - Parameter new: The name. If empty, it is `AudioIdentity.name`.
    package func setTitle(_ new: String) {
        locked {
            title = new
            showTitle()
        }
    }

    // MARK: time (with the lock held)

    /// Starts the audio, or silence instead, at the current position.
    func resume() {
        if let stream, server.isReady {
            begin(stream)
        } else if stream == nil {
            beginSilence()
        } else {
            // The stream is being created and starts when it is ready. After 500 ms the server counts as unresponsive.
            due.serverTimeout = HostTime.now() + 500_000_000
        }
    }

    func beginSilence() {
        position.run(isReported: false, limit: ring.writtenFrames)
        silence.isOn = true
        silence.hasUnderrun = true  // no underrun before the first audio
        arm()
    }

    /// Performs all actions that are due.
    private func tick() {
        guard !isClosed else { return }
        let now = HostTime.now()
        if now >= due.fadeEnd { endFade() }
        if now >= due.serverTimeout {
            due.serverTimeout = .max
            if isRunning, !server.isReady, !silence.isOn { beginSilence() }
        }
        if now >= due.stream {
            due.stream = .max
            if stream == nil, let context = device.connection?.readyContext { openStream(context) }
        }
        checkDevice(now)
        if silence.isOn { consume(now) }
        if motion.isStarving, server.isReady, let stream {
            feed(stream, Int(clamping: pa_stream_writable_size(stream)))
        }
        arm()
    }

    /// Schedules the next tick. Does not allocate, because the real-time thread calls it when the ring is empty.
    func arm() {
        var next = min(due.next, watchDue)
        if silence.isOn { next = min(next, HostTime.now() + 20_000_000) }
        if motion.isStarving { next = min(next, HostTime.now() + 5_000_000) }
        pump?.set(next)
        if let timer = due.timer { device.connection?.setTimer(timer, at: next == .max ? nil : next) }
    }

    /// Removes the frames from the ring that would have been heard by now.
    private func consume(_ now: HostTime) {
        let written = ring.writtenFrames
        let due = position.frames(at: now, limit: .max)
        ring.move(to: max(ring.readFrames, Int(min(due, Double(written)))))
        if due > Double(written) {
            // The clock waits while the ring is empty, as with a device.
            position.hold(limit: ring.writtenFrames)
            if !silence.hasUnderrun, !shared.draining.load(ordering: .relaxed) {
                shared.underruns.add(1, ordering: .relaxed)
            }
            silence.hasUnderrun = true
        } else if written > 0 {
            silence.hasUnderrun = false
        }
    }

    static func from(_ user: UnsafeMutableRawPointer?) -> AudioOutput? {
        user.map { Unmanaged<AudioOutput>.fromOpaque($0).takeUnretainedValue() }
    }
}
