import CPulse
import MediaCore
import Synchronization

/// Playback without the output device. If the device does not play, playback continues in silence. When it plays again,
/// the audio returns in sync with the video. All methods must be called with the connection's lock held.
extension AudioOutput {
    /// Whether the output is connected to a device that should be playing.
    var isWatching: Bool { isRunning && server.isReady && !silence.isOn && due.fadeEnd == .max }

    /// The time of the next check of the device.
    var watchDue: HostTime { motion.isReplacedBySilence ? due.nextCheck : isWatching ? motion.watch.due : .max }

    func checkDevice(_ now: HostTime) {
        guard let stream else { return }
        if motion.isReplacedBySilence {
            guard now >= due.nextCheck else { return }
            due.nextCheck = now + 100_000_000
            return requestTiming(stream)
        }
        guard isWatching, now >= motion.watch.due else { return }
        let written = ring.writtenFrames
        let isOwed =
            ring.availableFrames > 0
            || position.frames(at: now, limit: written) < Double(written) - Double(format.sampleRate) / 100
        // Without samples to play, the device need not advance.
        guard isOwed else { return motion.watch.didAdvance(at: now) }
        if motion.watch.isOver(at: now) { return switchToSilence(stream) }
        motion.watch.didRequestPosition(at: now)
        requestTiming(stream)
    }

    /// Requests the device's position from the server, unless a request is pending.
    func requestTiming(_ stream: OpaquePointer) {
        guard !isTimingRequested else { return }
        dropTimingRequest()
        server.timingRequest = pa_stream_update_timing_info(stream, nil, nil)
    }

    private var isTimingRequested: Bool {
        server.timingRequest.map { pa_operation_get_state($0) == PA_OPERATION_RUNNING } ?? false
    }

    func dropTimingRequest() {
        if let operation = server.timingRequest { pa_operation_unref(operation) }
        server.timingRequest = nil
    }

    /// Returns whether the device has rendered so far ahead that it takes no samples for some time. Its latency then
    /// exceeds the configured latency by more than `DeviceWatch.tolerance`.
    func isBusy(_ info: pa_timing_info) -> Bool {
        Int64(clamping: info.sink_usec) &- Int64(clamping: info.configured_sink_usec) > DeviceWatch.tolerance / 1000
    }

    /// Continues in silence without the device.
    func switchToSilence(_ stream: OpaquePointer) {
        guard isWatching else { return }
        motion.watch.didStall()
        shared.silenceSwitches.add(1, ordering: .relaxed)
        motion.isReplacedBySilence = true
        motion.isStarving = false
        beginSilence()
        probe(stream)
    }

    /// Discards the samples that the server holds, which would be heard too late, and writes silence instead. When the
    /// device takes this silence, it plays again.
    func probe(_ stream: OpaquePointer) {
        motion.watch.begin(at: HostTime.now())
        due.nextCheck = HostTime.now()
        // While the server does not respond, nothing more is sent, so that no data accumulates.
        motion.needsProbe = isTimingRequested
        guard !motion.needsProbe else { return }
        flushServer(stream)
        let frames = Int(Double(format.sampleRate) * AudioOutput.serverLatency)
        let silence = [Float](repeating: 0, count: frames * format.channelCount)
        _ = silence.withUnsafeBytes { pa_stream_write(stream, $0.baseAddress, $0.count, nil, 0, PA_SEEK_RELATIVE) }
        arm()
    }

    /// Handles a timing report that arrives while playback continues in silence.
    func handleTimingReport(_ stream: OpaquePointer, _ info: pa_timing_info) {
        if motion.needsProbe { return probe(stream) }
        if motion.watch.report(info.read_index, at: HostTime.now()) { returnToDevice(stream) }
    }

    /// Returns to the device after it has begun to play again. The audio continues at the current position.
    func returnToDevice(_ stream: OpaquePointer) {
        guard motion.isReplacedBySilence else { return }
        motion.isReplacedBySilence = false
        silence.isOn = false
        motion.needsProbe = false
        flushServer(stream)
        begin(stream)
    }
}
