import CPulse
import MediaCore
import Synchronization

/// The way to one sound server, held by a player from its first sound to its end, so that the
/// connection is made once.
package final class AudioDevice: Sendable {
    let connection: PulseConnection?
    /// The player has been told that there is no server.
    let isMissingTold = Atomic<Bool>(false)

    /// - Parameter server: as `PULSE_SERVER`; nil for the session's own. Never waits.
    package init(server: String?) { connection = PulseConnection.acquire(server: server) }
    deinit { if let connection { PulseConnection.release(connection) } }

    /// The format to make for a source: its own rate (the server resamples), its layout as far as the
    /// device has it. Waits at most 250 ms, once, for the server's word on its device.
    package func preferredFormat(channelMask: UInt64, sampleRate: Int) -> AudioFormat {
        AudioFormat(
            sampleRate: min(max(sampleRate, 8000), 192_000),
            channelMask: PulseChannels.preferred(source: channelMask, device: connection?.deviceMask()))
    }
}

/// Sound to the device: a ring that the sound server empties, and the position being heard.
///
/// Works the same with and without a server: when there is none (or it dies) the ring is emptied in
/// silence at its rate, and when one comes (back) the sound goes on from where time stands. The same while there is a
/// device that does not move for two seconds, or says that it will not.
///
/// Nothing here waits for the server. Close it (`close()`), or it stays.
package final class AudioOutput: @unchecked Sendable {
    // Everything mutable is guarded by `locked`, which libpulse holds while it calls back; the ring, the
    // position, the gain's targets and the atomics guard themselves.
    package let format: AudioFormat
    let ring: PCMRing
    let position: HeardPosition
    let gain: GainRamp
    private(set) var title: String
    let device: AudioDevice
    let onEvent: @Sendable (AudioOutputEvent) -> Void

    /// nil: there is no server, or the stream is yet to be asked for.
    var stream: OpaquePointer?
    var isClosed = false
    var server = ServerStream()
    var silence = Silence()
    var motion: DeviceMotion
    var due = Deadlines()
    private var pump: SilentPump?
    let shared = Shared()

    /// How much the server and its device hold, seconds: what a new volume takes to be heard.
    static let serverLatency = 0.12

    /// - Parameters:
    ///   - title: shown in the server's mixer; empty for the process's own name.
    ///   - ringSeconds: what the producer may be ahead of the server.
    ///   - onEvent: called on libpulse's thread with its lock held; must hand over and return.
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
        // A pause goes back to what was heard: all that the server and a slow device (Bluetooth) may hold.
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

    /// Ends the stream and wakes the producer; nothing is called back after this. Further calls do nothing.
    package func close() {
        locked {
            guard !isClosed else { return }
            isClosed = true
            shared.running.store(false, ordering: .releasing)
            silence.isOn = false
            position.stop(limit: ring.writtenFrames)
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

    // MARK: the producer's side

    /// Frames taken since creation.
    package var writtenFrames: Int64 { Int64(ring.writtenFrames) }
    /// Takes as many frames (interleaved) as fit; returns how many. Never waits.
    package func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int { ring.write(samples, frames: frames) }
    /// Waits until `frames` fit, or for `wakeProducer()`.
    package func waitForSpace(frames: Int) { ring.waitForSpace(frames) }
    /// Any thread: ends the producer's wait.
    package func wakeProducer() { ring.wakeProducer() }
    /// The last sample is written: quiet from here on is no underrun.
    package func setDraining(_ new: Bool) {
        guard shared.draining.exchange(new, ordering: .acquiringAndReleasing) != new else { return }
        locked {
            guard let stream, server.isReady else { return }
            if new {
                drain(stream)
            } else {
                dropDrainage()
                if server.isDrained, isRunning, !motion.isStandingIn, due.fadeEnd == .max { return begin(stream) }
                // The server asked for more while there was nothing to come, and does not ask twice.
                feed(stream, Int(clamping: pa_stream_writable_size(stream)))
            }
        }
    }
    /// How often sound ran dry while it should have played.
    package var underrunCount: Int { shared.underruns.load(ordering: .relaxed) }

    // MARK: the player's side

    /// Frames (since creation, fractional) heard at `hostTime`. Grows with it, never
    /// beyond what is written. Any thread; takes no lock and asks no server.
    package func playedFrames(atHostTime hostTime: HostTime) -> Double {
        position.frames(at: hostTime, limit: ring.writtenFrames)
    }

    /// Sound goes to a server now, rather than nowhere.
    package var isConnected: Bool { locked { server.isReady } }
    /// Sound goes to a device that moves.
    package var isAudible: Bool { locked { server.isReady && isRunning && !motion.isStandingIn } }
    package var isRunning: Bool { shared.running.load(ordering: .acquiring) }

    /// Goes on from the position, faded in over 10 ms unless it is the very beginning.
    package func start() {
        locked {
            guard !isClosed, !isRunning else { return }
            shared.running.store(true, ordering: .releasing)
            // A pause still fading out ends by itself and then goes on (`endFade`).
            if due.fadeEnd == .max { resume() }
            arm()
        }
    }

    /// The position freezes at once. Sound fades out over 10 ms as soon as the device allows; what was not
    /// heard by now is heard after the next `start()`.
    package func pause() {
        locked {
            guard isRunning else { return }
            shared.running.store(false, ordering: .releasing)
            position.stop(limit: ring.writtenFrames)
            let stoodIn = motion.isStandingIn
            silence.isOn = false
            motion.isStandingIn = false
            motion.isStarving = false
            due.patienceEnd = .max
            if let stream, server.isReady, due.fadeEnd == .max {
                if stoodIn { hold(stream) } else { fadeOut(stream) }
            }
            arm()
        }
    }

    /// Drops all that was written and not yet heard; after it `playedFrames` is `writtenFrames`.
    /// The producer must not write meanwhile.
    package func flush() {
        locked {
            let end = ring.writtenFrames
            ring.move(to: end)
            position.jump(to: Double(end), isReported: !silence.isOn)
            gain.begin(at: end, fadingIn: true)
            // While fading the server holds only the fade's end, and drops it by itself.
            if let stream, server.isReady, due.fadeEnd == .max {
                if motion.isStandingIn { probe(stream) } else { flushServer(stream) }
            }
        }
    }

    /// 0 … 1, clamped; reached within 15 ms of sound. Any thread.
    package func setVolume(_ volume: Float) { gain.setVolume(volume) }
    package func setMuted(_ muted: Bool) { gain.setMuted(muted) }

    /// - Parameter new: shown in the server's mixer from now on; empty for the process's own name.
    package func setTitle(_ new: String) {
        locked {
            title = new
            showTitle()
        }
    }

    // MARK: time (with the lock held)

    /// Sound, or silence in its place, from the position on.
    func resume() {
        if let stream, server.isReady {
            begin(stream)
        } else if stream == nil {
            beginSilence()
        } else {
            // The stream is on its way and begins when it is ready; a server that hangs is not waited for.
            due.patienceEnd = HostTime.now() + 500_000_000
        }
    }

    func beginSilence() {
        position.run(isReported: false, limit: ring.writtenFrames)
        silence.isOn = true
        silence.hasRunDry = true  // no underrun before there was sound
        arm()
    }

    /// Whatever is due.
    private func tick() {
        guard !isClosed else { return }
        let now = HostTime.now()
        if now >= due.fadeEnd { endFade() }
        if now >= due.patienceEnd {
            due.patienceEnd = .max
            if isRunning, !server.isReady, !silence.isOn { beginSilence() }
        }
        if now >= due.stream {
            due.stream = .max
            if stream == nil, let context = device.connection?.readyContext { openStream(context) }
        }
        look(now)
        if silence.isOn { consume(now) }
        if motion.isStarving, server.isReady, let stream {
            feed(stream, Int(clamping: pa_stream_writable_size(stream)))
        }
        arm()
    }

    /// Sets the next tick. Allocates nothing: the real-time path comes here when the ring is dry.
    func arm() {
        var next = min(due.next, watchDue)
        if silence.isOn { next = min(next, HostTime.now() + 20_000_000) }
        if motion.isStarving { next = min(next, HostTime.now() + 5_000_000) }
        pump?.set(next)
        if let timer = due.timer { device.connection?.setTimer(timer, at: next == .max ? nil : next) }
    }

    /// Takes out of the ring what should have been heard by now.
    private func consume(_ now: HostTime) {
        let written = ring.writtenFrames
        let due = position.frames(at: now, limit: .max)
        ring.move(to: max(ring.readFrames, Int(min(due, Double(written)))))
        if due > Double(written) {
            // A ring that has run dry holds time, as a device would.
            position.hold(limit: ring.writtenFrames)
            if !silence.hasRunDry, !shared.draining.load(ordering: .relaxed) {
                shared.underruns.add(1, ordering: .relaxed)
            }
            silence.hasRunDry = true
        } else if written > 0 {
            silence.hasRunDry = false
        }
    }

    static func from(_ user: UnsafeMutableRawPointer?) -> AudioOutput? {
        user.map { Unmanaged<AudioOutput>.fromOpaque($0).takeUnretainedValue() }
    }
}
