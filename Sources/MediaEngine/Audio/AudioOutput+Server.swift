import CPulse
import MediaCore
import Synchronization

/// The output's stream on the audio server. All methods must be called with the connection's lock held.
extension AudioOutput {
    // MARK: connecting

    func serverDidConnect(_ context: OpaquePointer) {
        due.streamDelay = 500_000_000
        openStream(context)
    }

    func serverDidDisconnect() {
        dropStream()
        due.stream = .max
        streamIsLost()
        if !server.hadStream, !device.didReportMissing.exchange(true, ordering: .relaxed) { onEvent(.serverMissing) }
    }

    func openStream(_ context: OpaquePointer) {
        guard !isClosed, stream == nil else { return }
        var spec = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.sampleRate), channels: UInt8(format.channelCount))
        var map = PulseChannels.map(format.channelMask)
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "video")
        pa_proplist_sets(properties, PA_PROP_MEDIA_ICON_NAME, AudioIdentity.iconName)
        server.title = shownTitle
        // libpulse uses the name of the stream as its title.
        guard let fresh = pa_stream_new_with_proplist(context, server.title, &spec, &map, properties) else {
            return tryAgainLater()
        }
        stream = fresh
        setCallbacks(fresh)
        let frame = UInt32(format.channelCount * 4)
        let target = UInt32(Double(format.sampleRate) * AudioOutput.serverLatency) * frame
        // The server requests a quarter at a time, about thirty times per second.
        var buffer = pa_buffer_attr(
            maxlength: UInt32.max, tlength: target, prebuf: target / 6 / frame * frame,
            minreq: target / 4 / frame * frame, fragsize: UInt32.max)
        let flags = pa_stream_flags_t(
            PA_STREAM_START_CORKED.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
                | PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
        if pa_stream_connect_playback(fresh, nil, &buffer, flags, nil, nil) < 0 {
            dropStream()
            tryAgainLater()
        }
    }

    private var shownTitle: String { title.isEmpty ? AudioIdentity.name : title }

    /// Sends the title if the stream is ready. Otherwise it is sent when the stream becomes ready.
    func showTitle() {
        guard let stream, server.isReady, server.title != shownTitle else { return }
        server.title = shownTitle
        if let operation = pa_stream_set_name(stream, server.title, nil, nil) { pa_operation_unref(operation) }
    }

    private func setCallbacks(_ fresh: OpaquePointer) {
        let userData = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(fresh, { _, user in AudioOutput.from(user)?.streamStateChanged() }, userData)
        pa_stream_set_write_callback(
            fresh,
            { stream, bytes, user in
                guard let stream else { return }
                AudioOutput.from(user)?.serverDidRequest(stream, bytes)
            }, userData)
        pa_stream_set_underflow_callback(fresh, { _, user in AudioOutput.from(user)?.didUnderflow() }, userData)
        pa_stream_set_latency_update_callback(
            fresh,
            { stream, user in
                guard let stream else { return }
                AudioOutput.from(user)?.measure(stream)
            }, userData)
        pa_stream_set_moved_callback(
            fresh,
            { stream, user in
                guard let stream, let output = AudioOutput.from(user) else { return }
                output.onEvent(.deviceChanged)
                // libpulse does not report separately that the new device is suspended, or is not.
                output.suspensionMayHaveChanged(stream)
            }, userData)
        pa_stream_set_suspended_callback(
            fresh,
            { stream, user in
                guard let stream else { return }
                AudioOutput.from(user)?.suspensionMayHaveChanged(stream)
            }, userData)
        pa_stream_set_event_callback(
            fresh,
            { _, name, _, user in
                guard let name else { return }
                let text = String(cString: name)
                if text == PA_STREAM_EVENT_REQUEST_CORK { AudioOutput.from(user)?.interrupt(for: .request) }
                if text == PA_STREAM_EVENT_REQUEST_UNCORK { AudioOutput.from(user)?.endInterruption(for: .request) }
            }, userData)
    }

    private func suspensionMayHaveChanged(_ stream: OpaquePointer) {
        // An idle device is suspended while the player is paused, or after its last sample. Only a running player that
        // has more samples is interrupted.
        if pa_stream_is_suspended(stream) <= 0 {
            endInterruption(for: .suspension)
        } else if isRunning, !server.isDrained {
            interrupt(for: .suspension)
        }
    }

    private func interrupt(for reason: InterruptionReasons) {
        setInterruption(server.interruption.union(reason))
    }

    /// Ends the interruption, unless it has other reasons than `reasons`.
    func endInterruption(for reasons: InterruptionReasons) {
        setInterruption(server.interruption.subtracting(reasons))
    }

    /// Ends the interruption together with the stream. The server will not report the end of a call to another stream,
    /// so a player that resumed would play during the call.
    func endInterruptionOfStream() {
        setInterruption([], resumes: !server.interruption.contains(.request))
    }

    private func setInterruption(_ new: InterruptionReasons, resumes: Bool = true) {
        let old = server.interruption
        server.interruption = new
        guard old.isEmpty != new.isEmpty else { return }
        onEvent(new.isEmpty ? .interruptionEnded(resumes: resumes) : .interruptionBegan)
    }

    private func streamStateChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            server.isReady = true
            due.streamDelay = 500_000_000
            due.serverTimeout = .max
            silence.isOn = false
            if server.didReportLoss { onEvent(.serverRestored) }
            server.didReportLoss = false
            server.hadStream = true
            if device.didReportMissing.exchange(false, ordering: .relaxed) { onEvent(.serverFound) }
            showTitle()
            if isRunning { begin(stream) }
            arm()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            // The server has no device for this stream, or removed it.
            dropStream()
            streamIsLost()
            tryAgainLater()
        default: break
        }
    }

    private func tryAgainLater() {
        guard device.connection?.readyContext != nil else { return }
        due.stream = HostTime.now() + due.streamDelay
        due.streamDelay = min(due.streamDelay * 2, 5_000_000_000)
        arm()
    }

    private func streamIsLost() {
        endInterruptionOfStream()
        if server.hadStream, !server.didReportLoss {
            server.didReportLoss = true
            onEvent(.serverLost)
        }
        due.serverTimeout = .max
        // The samples that the server held are lost, but the clock continues at the last audible position.
        if isRunning, !silence.isOn { beginSilence() }
        arm()
    }

    func dropStream() {
        server.isReady = false
        server.isDrained = false
        motion.isStarving = false
        motion.isReplacedBySilence = false
        motion.needsProbe = false
        dropTimingRequest()
        dropDrainage()
        due.fadeEnd = .max
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

    // MARK: running

    /// Starts the stream at the current position. Samples that the server took but did not play are sent again.
    func begin(_ stream: OpaquePointer) {
        let written = ring.writtenFrames
        ring.move(to: Int(position.frames(at: HostTime.now(), limit: written).rounded()))
        gain.begin(at: ring.readFrames, fadingIn: ring.readFrames > 0)
        motion.watch.begin(at: HostTime.now())
        dropDrainage()
        server.isDrained = false
        position.run(isReported: true, limit: ring.writtenFrames, timeout: motion.watch.timeout)
        feed(stream, Int(clamping: pa_stream_writable_size(stream)))
        cork(stream, false)
        arm()
    }

    /// Drains the stream after the last samples. The server then plays them even if they are fewer than it requires to
    /// start, and reports when all have been heard. For such short audio, its timing reports are not usable.
    func drain(_ stream: OpaquePointer) {
        guard shared.draining.load(ordering: .acquiring), isRunning, !motion.isReplacedBySilence, due.fadeEnd == .max,
            ring.availableFrames == 0, server.drainage == nil
        else { return }
        server.drainage = pa_stream_drain(
            stream, { _, success, user in AudioOutput.from(user)?.drained(success != 0) },
            Unmanaged.passUnretained(self).toOpaque())
    }

    private func drained(_ isDone: Bool) {
        guard isDone, shared.draining.load(ordering: .acquiring), isRunning, !motion.isReplacedBySilence,
            due.fadeEnd == .max,
            ring.availableFrames == 0, let stream
        else { return }
        motion.watch.didAdvance(at: HostTime.now())
        position.correct(Double(ring.writtenFrames), at: HostTime.now(), onlyForward: true)
        if let operation = server.drainage { pa_operation_unref(operation) }
        server.drainage = nil
        // PipeWire loses the first block after a drain, unless the stream is flushed and started again.
        hold(stream)
        server.isDrained = true
    }

    /// Cancels the drain, because the samples that the server holds are no longer the last.
    func dropDrainage() {
        guard let operation = server.drainage else { return }
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
        server.drainage = nil
    }

    /// Silences the stream immediately, and discards the samples that the server holds.
    func hold(_ stream: OpaquePointer) {
        cork(stream, true)
        flushServer(stream)
    }

    private func cork(_ stream: OpaquePointer, _ corked: Bool) {
        guard let o = pa_stream_cork(stream, corked ? 1 : 0, nil, nil) else { return }
        pa_operation_unref(o)
    }

    func flushServer(_ stream: OpaquePointer) {
        dropDrainage()
        guard let o = pa_stream_flush(stream, nil, nil) else { return }
        pa_operation_unref(o)
    }

    /// Replaces the samples that the server holds with a fade-out and silence, from the earliest safe position on.
    /// Pausing (corking) alone would cut the wave abruptly.
    func fadeOut(_ stream: OpaquePointer) {
        let written = ring.readFrames
        guard let held = heldByServer(stream), let info = pa_stream_get_timing_info(stream) else {
            return hold(stream)
        }
        let rate = Double(format.sampleRate)
        let device = Int(Double(info.pointee.sink_usec + info.pointee.transport_usec) / 1e6 * rate)
        // The device may take a block after the last report. Therefore one block and 10 ms are left unchanged.
        let block = Int(Double(info.pointee.configured_sink_usec) / 1e6 * rate)
        let heard = written - held
        let start = max(min(heard + device + block + format.sampleRate / 100, written), ring.oldestFrame)
        let fade = gain.fadeFrames
        let total = max(written, start + fade) - start
        let channels = format.channelCount
        var tail = [Float](repeating: 0, count: total * channels)
        tail.withUnsafeMutableBufferPointer { tail in
            guard let base = tail.baseAddress else { return }
            let got = min(fade, ring.copy(from: start, into: base, frames: fade))
            for frame in 0..<got {
                let g = gain.gain(at: start + frame) * Float(fade - frame - 1) / Float(fade)
                for channel in 0..<channels { tail[frame * channels + channel] *= g }
            }
            let back = Int64((written - start) * channels * 4)
            _ = pa_stream_write(stream, base, total * channels * 4, nil, -back, PA_SEEK_RELATIVE)
        }
        due.fadeEnd = HostTime.now() + (Int64(Double(start + fade - heard) / rate * 1e9) + 10_000_000)
    }

    /// Stops the stream after the fade-out has been heard.
    func endFade() {
        due.fadeEnd = .max
        guard let stream, server.isReady else { return }
        if !isRunning { cork(stream, true) }
        flushServer(stream)
        if isRunning { begin(stream) }
    }

    private func serverDidRequest(_ stream: OpaquePointer, _ bytes: Int) {
        // Once playback has settled, a request for more samples shows that the server has played some.
        if position.isSettled { motion.watch.didAdvance(at: HostTime.now()) }
        if motion.isReplacedBySilence { due.nextCheck = .min }
        feed(stream, bytes)
        // PipeWire counts whole blocks, so its reports are exact only directly after it has taken a block. libpulse
        // requests reports rarely and at other moments, and takes the inexact positions for a slow device. Therefore
        // the output requests a report here.
        let now = HostTime.now()
        if isWatching, now > server.requestedAt + 100_000_000 {
            server.requestedAt = now
            requestTiming(stream)
        }
    }

    /// Writes samples from the ring buffer directly into the server's memory, as many as it requests. Runs on the
    /// real-time thread: it allocates nothing and takes no lock of Zoetrope.
    func feed(_ stream: OpaquePointer, _ bytes: Int) {
        // A request that is ignored here is not lost: `pa_stream_writable_size` still includes it.
        guard isRunning, !motion.isReplacedBySilence, !server.isDrained, due.fadeEnd == .max else { return }
        let frameBytes = format.channelCount * 4
        var left = bytes / frameBytes
        while left > 0, ring.availableFrames > 0 {
            var target: UnsafeMutableRawPointer?
            var size = left * frameBytes
            guard pa_stream_begin_write(stream, &target, &size) >= 0, let target, size >= frameBytes else { return }
            let samples = target.assumingMemoryBound(to: Float.self)
            let first = ring.readFrames
            let got = ring.read(into: samples, frames: min(left, size / frameBytes))
            guard got > 0 else {
                pa_stream_cancel_write(stream)
                break
            }
            gain.apply(to: samples, frames: got, first: first)
            if pa_stream_write(stream, target, got * frameBytes, nil, 0, PA_SEEK_RELATIVE) < 0 { return }
            left -= got
        }
        drain(stream)
        measure(stream)
        // The server does not repeat a request, so the missing samples are written as soon as they are available.
        let starving = left > 0 && !shared.draining.load(ordering: .relaxed)
        if starving || motion.isStarving {
            motion.isStarving = starving
            arm()
        }
    }

    // MARK: timing

    /// Returns the number of frames that were written and not heard yet; `nil` if the server has not reported it or
    /// does not play.
    private func heldByServer(_ stream: OpaquePointer) -> Int? {
        var latency: pa_usec_t = 0
        var negative: Int32 = 0
        guard let info = pa_stream_get_timing_info(stream), info.pointee.playing != 0,
            pa_stream_get_latency(stream, &latency, &negative) >= 0
        else { return nil }
        return negative != 0 ? 0 : Int(Double(latency) / 1e6 * Double(format.sampleRate))
    }

    /// Updates the audible position: the frames that were written, minus those that the server and the device still
    /// hold.
    func measure(_ stream: OpaquePointer) {
        guard isRunning, !server.isDrained, due.fadeEnd == .max else { return }
        if let info = pa_stream_get_timing_info(stream)?.pointee {
            if motion.isReplacedBySilence { return handleTimingReport(stream, info) }
            if motion.watch.report(info.read_index, at: HostTime.now()), position.isSettled {
                motion.watch.didRecover()
            }
            if info.playing == 0, isBusy(info) { return switchToSilence(stream) }
        }
        let now = HostTime.now()
        guard !motion.isReplacedBySilence, let held = heldByServer(stream) else { return }
        let isEnding = ring.availableFrames == 0 && shared.draining.load(ordering: .relaxed)
        position.correct(Double(ring.readFrames - held), at: now, onlyForward: isEnding)
    }

    private func didUnderflow() {
        if motion.isReplacedBySilence {
            // The silence that tests whether the device plays has probably been played.
            due.nextCheck = .min
            return arm()
        }
        guard isRunning, due.fadeEnd == .max, !shared.draining.load(ordering: .relaxed), position.isSettled else {
            return
        }
        shared.underruns.add(1, ordering: .relaxed)
        position.stall(limit: ring.writtenFrames)
    }
}
