import Foundation
import MediaCore

// The network requests of the file. All functions with a parameter `state` run with the state locked.
extension RemoteFile {
    /// Starts, pauses, resumes or ends the request as required. Called after every change of the reader's position, the
    /// cache or the request.
    func updateTransfer(_ state: inout State) {
        guard !state.isClosed, state.failure == nil, state.retryTimer == nil else { return }
        let window = state.window
        let nextMissingByte = state.nextMissingByte
        let ahead = nextMissingByte - window.position
        if let length = state.plan.facts.length, nextMissingByte >= length {
            // All bytes ahead of the reader are in the cache.
            if state.transfer != nil, state.plan.bodyPosition < length { setPaused(true, &state) }
            return
        }
        guard state.transfer != nil else {
            if ahead == 0 || ahead <= window.restartMark { start(at: nextMissingByte, &state) }
            return
        }
        let gap = nextMissingByte - state.plan.bodyPosition
        if gap == 0 || gap > 0 && (gap <= settings.skipLimit || state.plan.facts.ranges == .refused) {
            // The running request will reach the required byte.
            if gap > 0 || ahead <= window.restartMark {
                setPaused(false, &state)
            } else if ahead >= window.forward {
                setPaused(true, &state)
            }
        } else if ahead <= window.dryMark {
            // The request fills another part of the file, and the reader is about to run out of data.
            endTransfer(&state)
            start(at: nextMissingByte, &state)
        } else {
            setPaused(true, &state)
        }
    }

    private func setPaused(_ paused: Bool, _ state: inout State) {
        guard state.transfer?.isPaused != paused else { return }
        state.transfer?.isPaused = paused
        state.transfer?.mark = loop.time
        state.transfer?.task.setPaused(paused)
    }

    func endTransfer(_ state: inout State) {
        state.transfer?.task.cancel()
        state.transfer = nil
    }

    private func start(at nextMissingByte: Int64, _ state: inout State) {
        var stop: Int64?
        // The request ends where cached bytes begin, unless they are so few that reading them again costs less than a
        // request.
        if state.plan.facts.ranges != .refused, let cachedRange = state.cache.nextRange(after: nextMissingByte),
            cachedRange.upperBound - cachedRange.lowerBound > settings.skipLimit
        {
            stop = cachedRange.lowerBound
        }
        state.plan.aim(from: nextMissingByte, to: stop)
        state.serial += 1
        let id = state.serial
        let (range, ifRange) = state.plan.request()
        var options = options
        if let ifRange { options.headers["If-Range"] = ifRange }
        state.log.requests += 1
        if state.plan.retry.failures > 0 { state.log.retries += 1 }
        let task = loop.start(
            HTTPRequest(url: url, range: range, options: options),
            HTTPCallbacks(
                onResponse: { [weak self] in self?.answered($0, id) },
                onBytes: { [weak self] in self?.received($0, id) },
                onEnd: { [weak self] in self?.ended($0, id) },
                onTitle: { [weak self] in self?.didReceiveTitle($0) }))
        state.transfer = Transfer(serial: id, task: task)
    }

    // MARK: callbacks

    private func answered(_ response: HTTPResponse, _ id: Int) {
        didReceiveStation(response.stationName)
        state.withLock { state in
            guard state.transfer?.serial == id else { return }
            switch state.plan.answered(response) {
            case .fail(let error):
                endTransfer(&state)
                return failed(error, &state)
            case .sendNextRequest:
                endTransfer(&state)
            case .take(let isOtherVersion, let note):
                state.transfer?.isCompared = isOtherVersion
                state.transfer?.mark = loop.time
                if let note { state.log.note = HTTPError(.changed, url: response.url, reason: note) }
            }
            notice(.soon, &state)
            updateTransfer(&state)
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, _ id: Int) {
        state.withLock { state in
            guard let current = state.transfer, current.serial == id else { return }
            let time = loop.time
            state.log.bytes += Int64(bytes.count)
            state.log.receiving += max(0, time - current.mark)
            state.transfer?.mark = time
            state.hasStarted = true
            let start = state.plan.bodyPosition
            if current.isCompared, !state.cache.agrees(with: bytes, at: start) {
                endTransfer(&state)
                return failed(
                    HTTPError(
                        .changed, url: url, reason: "the file was replaced on the server while it was being read"),
                    &state)
            }
            _ = state.plan.received(bytes.count)
            keep(bytes, at: start, &state)
            notice(.later, &state)
            updateTransfer(&state)
        }
    }

    /// Stores the bytes that are worth keeping: all of them if the file fits into the cache, else none far behind the
    /// reader.
    private func keep(_ bytes: UnsafeRawBufferPointer, at start: Int64, _ state: inout State) {
        let end = start + Int64(bytes.count)
        let window = state.window
        if !state.fitsWhole, end < window.position - Int64(state.cache.budget) / 8, start > 1 << 20 { return }
        state.cache.store(
            bytes, at: start,
            interest: ByteCache.Interest(
                position: window.position, forward: window.forward, others: window.formerPositions,
                length: state.plan.facts.length))
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>, _ id: Int) {
        state.withLock { state in
            guard state.transfer?.serial == id else { return }
            state.transfer = nil
            let error: HTTPError? = if case .failure(let error) = result { error } else { nil }
            switch state.plan.ended(error, url: url, at: loop.time) {
            case .complete:
                state.plan.retry.reset()
                updateTransfer(&state)
            case .sendNextRequest: updateTransfer(&state)
            case .failed(let error): failed(error, &state)
            }
            notice(.soon, &state)
        }
    }

    // MARK: failures

    private func failed(_ error: HTTPError, _ state: inout State) {
        guard error.isTransient else { return fail(error, &state) }
        let policy = policy(state)
        if let delay = state.plan.retry.delay(after: error, policy, at: loop.time, random: settings.random()) {
            state.log.add(error)
            scheduleRetry(after: delay, &state)
        } else if state.readers == 0 {
            // No read is waiting yet, and the failure may end before the buffer is empty.
            state.log.add(error)
            scheduleRetry(
                after: max(policy.longestDelay, error.retryAfter.map { Int64(min($0, 3600) * 1e9) } ?? 0), &state)
        } else {
            fail(error, &state)
        }
    }

    private func policy(_ state: State) -> RetryPolicy { state.hasStarted ? settings.playing : settings.opening }

    private func scheduleRetry(after delay: Int64, _ state: inout State) {
        state.retryTimer?.cancel()
        state.retryTimer = loop.schedule(at: loop.time + delay) { [weak self] in
            guard let self else { return }
            self.state.withLock { state in
                state.retryTimer = nil
                self.updateTransfer(&state)
            }
        }
    }

    /// Restarts the retries when a read begins to wait after they were used up, so that it does not fail immediately.
    func retrySooner(_ state: inout State) {
        guard state.retryTimer != nil, state.readers == 1, triesAreUsedUp(state) else { return }
        state.retryTimer?.cancel()
        state.retryTimer = nil
        state.plan.retry.reset()
    }

    func triesAreUsedUp(_ state: State) -> Bool { state.plan.retry.isUsedUp(policy(state), at: loop.time) }

    private func fail(_ error: HTTPError, _ state: inout State) {
        state.failure = error
        state.log.add(error)
        state.plan.retry.reset()
        state.retryTimer?.cancel()
        state.retryTimer = nil
        notice(.soon, &state)
    }

    // MARK: notices

    func notice(_ urgency: ChangeNotices.Urgency, _ state: inout State) {
        guard state.notices.isNew(urgency) else { return }
        switch urgency {
        case .soon: loop.perform { [weak self] in self?.notifyObserver() }
        case .later: loop.schedule(at: loop.time + 100_000_000) { [weak self] in self?.notifyObserver() }
        }
    }

    private func notifyObserver() { state.withLock { $0.notices.take() }?() }
}
