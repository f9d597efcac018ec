import CPulse
import Foundation
import Synchronization

/// The way to one sound server, held by a player from its first sound to its end, so that the
/// connection is made once.
package final class AudioDevice: Sendable {
    fileprivate let connection: PulseConnection?

    /// - Parameter server: as `PULSE_SERVER`; nil for the session's own. Never waits.
    package init(server: String?) { connection = PulseConnection.acquire(server: server) }
    deinit { if let connection { PulseConnection.release(connection) } }

    /// The format to make for a source: its own rate (the server resamples), its layout as far as the
    /// device has it. Waits at most 250 ms, once, for the server's word on its device.
    package func preferredFormat(channelMask: UInt64, sampleRate: Int) -> AudioFormat {
        AudioFormat(sampleRate: min(max(sampleRate, 8000), 192_000),
            channelMask: PulseChannels.preferred(source: channelMask, device: connection?.deviceMask()))
    }
}

/// Sound to the device: a ring that the sound server empties, and the position being heard.
///
/// Works the same with and without a server: when there is none (or it dies) a silent pump empties the
/// ring at its rate, and when one comes (back) the sound goes on from where the ring stands.
package final class AudioOutput: @unchecked Sendable {
    // `stream` and what belongs to it is guarded by the connection's lock; the rest is atomics, the
    // clock (a lock of its own) and the ring.
    package let format: AudioFormat
    private let ring: PCMRing
    private let position: HeardPosition
    private let device: AudioDevice
    private var connection: PulseConnection? { device.connection }
    private let onEvent: @Sendable (AudioOutputEvent) -> Void
    private let title: String
    private var stream: OpaquePointer?
    private var isStreamReady = false
    private var again: OpaquePointer?
    private var sinkIndex = UInt32.max
    private var isClosed = false
    private var silence: SilentPump?
    private var wasConnected = false

    private let running = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)
    private let underruns = Atomic<Int>(0)
    private var gain: GainRamp

    /// How much the server holds, seconds: what a pause or a new volume takes to be heard.
    private static let serverLatency = 0.12

    /// Never waits for the server.
    package init(device: AudioDevice, format: AudioFormat, title: String, ringSeconds: Double = 0.25,
                 onEvent: @escaping @Sendable (AudioOutputEvent) -> Void) {
        self.device = device
        self.format = format
        self.title = title
        self.onEvent = onEvent
        ring = PCMRing(channels: format.channelCount, capacity: Int(Double(format.sampleRate) * ringSeconds))
        position = HeardPosition(sampleRate: format.sampleRate)
        gain = GainRamp(sampleRate: format.sampleRate, channels: format.channelCount)
        silence = SilentPump(ring: ring, position: position, sampleRate: format.sampleRate)
        connection?.add(self)
    }

    package func close() {
        locked {
            isClosed = true
            running.store(false, ordering: .releasing)
            dropStream()
        }
        ring.wakeProducer()
        silence?.close()
        connection?.remove(self)
    }

    private func locked<T>(_ body: () -> T) -> T {
        connection.map { $0.locked(body) } ?? body()
    }

    // MARK: the producer's side

    package var writtenFrames: Int64 { Int64(ring.writtenFrames) }
    package func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int { ring.write(samples, frames: frames) }
    package func waitForSpace(frames: Int) { ring.waitForSpace(frames) }
    package func wakeProducer() { ring.wakeProducer() }
    /// The last sample is written: quiet from here on is no underrun.
    package func setDraining(_ new: Bool) { draining.store(new, ordering: .releasing) }
    /// How often the device ran dry while it should have played.
    package var underrunCount: Int { underruns.load(ordering: .relaxed) }

    // MARK: the player's side

    /// Frames (since creation, fractional) heard at `hostTime`, CLOCK_MONOTONIC nanoseconds. Never runs back while running.
    package func playedFrames(atHostTime hostTime: Int64) -> Double { position.frames(at: hostTime, limit: ring.writtenFrames) }

    package var isConnected: Bool { locked { isStreamReady } }

    package func start() {
        locked {
            guard !isClosed, !running.load(ordering: .acquiring) else { return }
            running.store(true, ordering: .releasing)
            gain.restart()
            if isStreamReady, let stream {
                begin(stream)
            } else if stream == nil {
                beginSilence()
            } // else the stream is on its way and begins when it is ready
        }
    }

    package func pause() {
        locked {
            guard running.load(ordering: .acquiring) else { return }
            running.store(false, ordering: .releasing)
            position.stop()
            silence?.stop()
            if isStreamReady { cork(true) }
        }
    }

    /// Drops all that was written and not yet heard. The producer must not write meanwhile.
    package func flush() {
        locked {
            _ = ring.read(into: nil, frames: ring.availableFrames)
            if let stream, isStreamReady, let o = pa_stream_flush(stream, nil, nil) { pa_operation_unref(o) }
            position.jump(to: Double(ring.writtenFrames))
        }
    }

    /// 0 … 1.
    package func setVolume(_ volume: Float) { gain.setVolume(volume) }
    package func setMuted(_ muted: Bool) { gain.setMuted(muted) }

    // MARK: the server (with the connection's lock held)

    func serverCame(_ context: OpaquePointer) {
        guard !isClosed, stream == nil else { return }
        var spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.sampleRate), channels: UInt8(format.channelCount))
        var map = PulseChannels.map(format.channelMask)
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "video")
        pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, title.isEmpty ? AudioIdentity.name : title)
        pa_proplist_sets(properties, PA_PROP_MEDIA_ICON_NAME, AudioIdentity.iconName)
        guard let fresh = pa_stream_new_with_proplist(context, title.isEmpty ? AudioIdentity.name : title, &spec, &map, properties) else { return }
        stream = fresh
        let me = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(fresh, { _, user in AudioOutput.from(user)?.streamStateChanged() }, me)
        pa_stream_set_write_callback(fresh, { stream, bytes, user in
            guard let stream else { return }
            AudioOutput.from(user)?.feed(stream, bytes)
        }, me)
        pa_stream_set_underflow_callback(fresh, { _, user in AudioOutput.from(user)?.ranDry() }, me)
        pa_stream_set_latency_update_callback(fresh, { stream, user in
            guard let stream else { return }
            AudioOutput.from(user)?.measure(stream)
        }, me)
        pa_stream_set_moved_callback(fresh, { _, user in AudioOutput.from(user)?.onEvent(.deviceChanged) }, me)
        pa_stream_set_suspended_callback(fresh, { stream, user in
            guard let stream else { return }
            AudioOutput.from(user)?.onEvent(pa_stream_is_suspended(stream) > 0 ? .interruptionBegan : .interruptionEnded)
        }, me)
        pa_stream_set_event_callback(fresh, { _, name, _, user in
            guard let name else { return }
            let text = String(cString: name)
            if text == PA_STREAM_EVENT_REQUEST_CORK { AudioOutput.from(user)?.onEvent(.interruptionBegan) }
            if text == PA_STREAM_EVENT_REQUEST_UNCORK { AudioOutput.from(user)?.onEvent(.interruptionEnded) }
        }, me)
        let frame = UInt32(format.channelCount * 4)
        let target = UInt32(Double(format.sampleRate) * AudioOutput.serverLatency) * frame
        var buffer = pa_buffer_attr(maxlength: UInt32.max, tlength: target, prebuf: target / 6 / frame * frame, minreq: target / 4 / frame * frame, fragsize: UInt32.max)
        let flags = pa_stream_flags_t(PA_STREAM_START_CORKED.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
            | PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
        if pa_stream_connect_playback(fresh, nil, &buffer, flags, nil, nil) < 0 { dropStream() }
    }

    func serverWent() {
        dropStream()
        if wasConnected {
            wasConnected = false
            onEvent(.serverLost)
        }
        if running.load(ordering: .acquiring) {
            // What the server held is lost to the ear, not to the clock: time goes on from what was heard.
            beginSilence()
        }
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> AudioOutput? {
        user.map { Unmanaged<AudioOutput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func streamStateChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            isStreamReady = true
            if wasLost { onEvent(.serverRestored) }
            wasConnected = true
            wasLost = true
            silence?.stop()
            if running.load(ordering: .acquiring) { begin(stream) }
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            dropStream()
            if running.load(ordering: .acquiring) { beginSilence() }
        default: break
        }
    }
    /// There was a stream before: the next one is a return.
    private var wasLost = false

    private func dropStream() {
        if let again { connection?.cancel(again) }
        again = nil
        isStreamReady = false
        guard let old = stream else { return }
        stream = nil
        pa_stream_set_state_callback(old, nil, nil)
        pa_stream_set_write_callback(old, nil, nil)
        pa_stream_set_underflow_callback(old, nil, nil)
        pa_stream_set_latency_update_callback(old, nil, nil)
        pa_stream_set_moved_callback(old, nil, nil)
        pa_stream_set_suspended_callback(old, nil, nil)
        pa_stream_set_event_callback(old, nil, nil)
        pa_stream_disconnect(old)
        pa_stream_unref(old)
    }

    private func begin(_ stream: OpaquePointer) {
        position.run(isReported: true)
        feed(stream, Int(clamping: pa_stream_writable_size(stream)))
        cork(false)
    }

    private func beginSilence() {
        position.run(isReported: false)
        silence?.run()
    }

    private func cork(_ corked: Bool) {
        guard let stream, let o = pa_stream_cork(stream, corked ? 1 : 0, nil, nil) else { return }
        pa_operation_unref(o)
    }

    /// The real-time path: as much of the ring as the server asks for, straight into its memory.
    /// Allocates nothing and takes no lock of ours.
    private func feed(_ stream: OpaquePointer, _ bytes: Int) {
        let frameBytes = format.channelCount * 4
        var left = bytes / frameBytes
        while left > 0, ring.availableFrames > 0 {
            var target: UnsafeMutableRawPointer?
            var size = left * frameBytes
            guard pa_stream_begin_write(stream, &target, &size) >= 0, let target, size >= frameBytes else { return }
            let samples = target.assumingMemoryBound(to: Float.self)
            let got = ring.read(into: samples, frames: min(left, size / frameBytes))
            guard got > 0 else {
                pa_stream_cancel_write(stream)
                break
            }
            gain.apply(to: samples, frames: got)
            if pa_stream_write(stream, target, got * frameBytes, nil, 0, PA_SEEK_RELATIVE) < 0 { return }
            left -= got
        }
        measure(stream)
        // The server asks once; what we owe it is brought as soon as there is something.
        if left > 0, again == nil, running.load(ordering: .relaxed), !draining.load(ordering: .relaxed) {
            again = connection?.later(milliseconds: 5, user: Unmanaged.passUnretained(self).toOpaque()) { api, event, _, user in
                api?.pointee.time_free(event)
                guard let me = AudioOutput.from(user) else { return }
                me.again = nil
                if let stream = me.stream, me.isStreamReady { me.feed(stream, Int(clamping: pa_stream_writable_size(stream))) }
            }
        }
    }

    /// Tells the clock what is being heard: what was handed over, less what the server and the device still hold.
    private func measure(_ stream: OpaquePointer) {
        guard running.load(ordering: .relaxed) else { return }
        var latency: pa_usec_t = 0
        var negative: Int32 = 0
        guard pa_stream_get_latency(stream, &latency, &negative) >= 0 else { return }
        let held = negative != 0 ? 0 : Double(latency) / 1e6 * Double(format.sampleRate)
        let isEmpty = ring.availableFrames == 0 && draining.load(ordering: .relaxed)
        position.correct(Double(ring.readFrames) - held, onlyForward: isEmpty)
    }

    private func ranDry() {
        if running.load(ordering: .relaxed), !draining.load(ordering: .relaxed), position.hasMoved {
            underruns.add(1, ordering: .relaxed)
        }
    }
}
