import CPulse
import MediaCore
import Synchronization

/// A stream whose device does not move: the silent clock stands in for it, and it comes back, in time with the picture,
/// when the device moves again. Everything here runs with the connection's lock held.
extension AudioOutput {
    /// The device is looked after: there is one, and it should move.
    var isWatching: Bool { isRunning && server.isReady && !silence.isOn && due.fadeEnd == .max }

    /// When the watch wants to look.
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
        // With nothing to play there is nothing to miss.
        guard isOwed else { return motion.watch.moved(at: now) }
        if motion.watch.isOver(at: now) { return standIn(stream) }
        motion.watch.asked(at: now)
        ask(stream)
    }

    /// Asks the server where its device is; once, until it has answered.
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

    /// The device has rendered ahead of what it was asked for, and takes nothing before that has been played.
    func isBusy(_ info: pa_timing_info) -> Bool {
        Int64(clamping: info.sink_usec) &- Int64(clamping: info.configured_sink_usec) > DeviceWatch.tolerance / 1000
    }

    /// Time goes on without the device.
    func standIn(_ stream: OpaquePointer) {
        guard isWatching else { return }
        motion.watch.gaveUp()
        shared.standIns.add(1, ordering: .relaxed)
        motion.isStandingIn = true
        motion.isStarving = false
        beginSilence()
        probe(stream)
    }

    /// What the server holds would come too late. Silence in its place shows when the device moves.
    func probe(_ stream: OpaquePointer) {
        motion.watch.begin(at: HostTime.now())
        due.nextLook = HostTime.now()
        // Nothing is piled up before a server that does not read.
        motion.needsProbe = isAsking
        guard !motion.needsProbe else { return }
        flushServer(stream)
        let frames = Int(Double(format.sampleRate) * AudioOutput.serverLatency)
        let silence = [Float](repeating: 0, count: frames * format.channelCount)
        _ = silence.withUnsafeBytes { pa_stream_write(stream, $0.baseAddress, $0.count, nil, 0, PA_SEEK_RELATIVE) }
        arm()
    }

    /// A report that came while the clock stands in.
    func lookedAt(_ stream: OpaquePointer, _ info: pa_timing_info) {
        if motion.needsProbe { return probe(stream) }
        if motion.watch.report(info.read_index, at: HostTime.now()) { comeBack(stream) }
    }

    /// The device moves: sound goes on where time is.
    func comeBack(_ stream: OpaquePointer) {
        guard motion.isStandingIn else { return }
        motion.isStandingIn = false
        silence.isOn = false
        motion.needsProbe = false
        flushServer(stream)
        begin(stream)
    }
}
