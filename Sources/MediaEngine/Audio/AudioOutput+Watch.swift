import CPulse
import MediaCore
import Synchronization

/// Playback without the output device. If the device does not play, playback continues in silence. When it plays again,
/// the audio returns in sync with the video. All of it runs with the connection's lock held.
extension AudioOutput {
    /// Whether the output is connected to a device that should be playing.
    var isWatching: Bool { isRunning && server.isReady && !silence.isOn && due.fadeEnd == .max }

    /// The time of the next check of the device.
    var watchDue: HostTime { motion.isStandingIn ? due.nextLook : isWatching ? motion.watch.due : .max }

    func look(_ now: HostTime) {
        guard let stream else { return }
        if motion.isStandingIn {
            guard now >= due.nextLook else { return }
            due.nextLook = now + 100_000_000
            return ask(stream)
        }
        guard isWatching, now >= motion.watch.due else { return }
        let written = ring.writtenFrames
        let isOwed =
            ring.availableFrames > 0
            || position.frames(at: now, limit: written) < Double(written) - Double(format.sampleRate) / 100
        // Without samples to play, the device need not advance.
        guard isOwed else { return motion.watch.moved(at: now) }
        if motion.watch.isOver(at: now) { return standIn(stream) }
        motion.watch.asked(at: now)
        ask(stream)
    }

    /// Requests the device's position from the server, unless a request is pending.
    func ask(_ stream: OpaquePointer) {
        guard !isAsking else { return }
        dropQuestion()
        server.question = pa_stream_update_timing_info(stream, nil, nil)
    }

    private var isAsking: Bool { server.question.map { pa_operation_get_state($0) == PA_OPERATION_RUNNING } ?? false }

    func dropQuestion() {
        if let operation = server.question { pa_operation_unref(operation) }
        server.question = nil
    }

    /// Whether the device has rendered more than was requested, and takes nothing until that has been played.
    func isBusy(_ info: pa_timing_info) -> Bool {
        Int64(clamping: info.sink_usec) &- Int64(clamping: info.configured_sink_usec) > DeviceWatch.tolerance / 1000
    }

    /// Continues in silence without the device.
    func standIn(_ stream: OpaquePointer) {
        guard isWatching else { return }
        motion.watch.gaveUp()
        shared.standIns.add(1, ordering: .relaxed)
        motion.isStandingIn = true
        motion.isStarving = false
        beginSilence()
        probe(stream)
    }

    /// Replaces the samples that the server holds, which would be heard too late, by silence that shows when the device
    /// plays.
    func probe(_ stream: OpaquePointer) {
        motion.watch.begin(at: HostTime.now())
        due.nextLook = HostTime.now()
        // The data of a server that does not read must not accumulate.
        motion.needsProbe = isAsking
        guard !motion.needsProbe else { return }
        flushServer(stream)
        let frames = Int(Double(format.sampleRate) * AudioOutput.serverLatency)
        let silence = [Float](repeating: 0, count: frames * format.channelCount)
        _ = silence.withUnsafeBytes { pa_stream_write(stream, $0.baseAddress, $0.count, nil, 0, PA_SEEK_RELATIVE) }
        arm()
    }

    /// Handles a timing report that arrives while playback continues in silence.
    func lookedAt(_ stream: OpaquePointer, _ info: pa_timing_info) {
        if motion.needsProbe { return probe(stream) }
        if motion.watch.report(info.read_index, at: HostTime.now()) { comeBack(stream) }
    }

    /// Returns to the device, which plays again, at the current position.
    func comeBack(_ stream: OpaquePointer) {
        guard motion.isStandingIn else { return }
        motion.isStandingIn = false
        silence.isOn = false
        motion.needsProbe = false
        flushServer(stream)
        begin(stream)
    }
}
