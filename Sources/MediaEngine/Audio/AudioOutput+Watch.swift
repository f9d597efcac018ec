import CPulse
import MediaCore
import Synchronization

/// A stream whose device does not move: the silent clock stands in for it, and it comes back, in time with the picture,
/// when the device moves again. Everything here runs with the connection's lock held.
extension AudioOutput {
    /// The device is looked after: there is one, and it should move.
    var isWatching: Bool { isRunning && isStreamReady && !isSilent && fadeEnd == .max }

    /// When the watch wants to look.
    var watchDue: HostTime { isStandingIn ? nextLook : isWatching ? watch.due : .max }

    func look(_ now: HostTime) {
        guard let stream else { return }
        if isStandingIn {
            guard now >= nextLook else { return }
            nextLook = now + 100_000_000
            return ask(stream)
        }
        guard isWatching, now >= watch.due else { return }
        let written = ring.writtenFrames
        let isOwed =
            ring.availableFrames > 0
            || position.frames(at: now, limit: written) < Double(written) - Double(format.sampleRate) / 100
        // With nothing to play there is nothing to miss.
        guard isOwed else { return watch.moved(at: now) }
        if watch.isOver(at: now) { return standIn(stream) }
        watch.asked(at: now)
        ask(stream)
    }

    /// Asks the server where its device is; once, until it has answered.
    private func ask(_ stream: OpaquePointer) {
        guard !isAsking else { return }
        dropQuestion()
        question = pa_stream_update_timing_info(stream, nil, nil)
    }

    private var isAsking: Bool { question.map { pa_operation_get_state($0) == PA_OPERATION_RUNNING } ?? false }

    func dropQuestion() {
        if let question { pa_operation_unref(question) }
        question = nil
    }

    /// The device has rendered ahead of what it was asked for, and takes nothing before that has been played.
    func isBusy(_ info: pa_timing_info) -> Bool {
        Int64(clamping: info.sink_usec) &- Int64(clamping: info.configured_sink_usec) > DeviceWatch.tolerance / 1000
    }

    /// Time goes on without the device.
    func standIn(_ stream: OpaquePointer) {
        guard isWatching else { return }
        watch.gaveUp()
        standIns.add(1, ordering: .relaxed)
        isStandingIn = true
        isStarving = false
        beginSilence()
        probe(stream)
    }

    /// What the server holds would come too late. Silence in its place shows when the device moves.
    func probe(_ stream: OpaquePointer) {
        watch.begin(at: HostTime.now())
        nextLook = HostTime.now()
        // Nothing is piled up before a server that does not read.
        needsProbe = isAsking
        guard !needsProbe else { return }
        flushServer(stream)
        let frames = Int(Double(format.sampleRate) * AudioOutput.serverLatency)
        let silence = [Float](repeating: 0, count: frames * format.channelCount)
        _ = silence.withUnsafeBytes { pa_stream_write(stream, $0.baseAddress, $0.count, nil, 0, PA_SEEK_RELATIVE) }
        arm()
    }

    /// A report that came while the clock stands in.
    func lookedAt(_ stream: OpaquePointer, _ info: pa_timing_info) {
        if needsProbe { return probe(stream) }
        if watch.report(info.read_index, at: HostTime.now()) { comeBack(stream) }
    }

    /// The device moves: sound goes on where time is.
    func comeBack(_ stream: OpaquePointer) {
        guard isStandingIn else { return }
        isStandingIn = false
        isSilent = false
        needsProbe = false
        flushServer(stream)
        begin(stream)
    }
}
