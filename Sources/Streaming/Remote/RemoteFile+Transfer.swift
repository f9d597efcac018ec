import Foundation
import MediaCore

/// What the file asks of the network. All with the monitor locked, unless a callback of the loop takes it.
extension RemoteFile {
    /// Sees to it that the right request runs, or none. After everything that moves the reader, the cache or a request.
    func steer() {
        guard !isClosed, failure == nil, retryTimer == nil else { return }
        let goal = cache.contiguousEnd(from: position)
        let ahead = goal - position
        if let length = plan.facts.length, goal >= length {
            // All that lies ahead is here.
            if transfer != nil, plan.bodyPosition < length { setPaused(true) }
            return
        }
        guard transfer != nil else {
            if ahead == 0 || ahead <= restartMark { start(at: goal) }
            return
        }
        let gap = goal - plan.bodyPosition
        if gap == 0 || gap > 0 && (gap <= settings.skipLimit || plan.facts.ranges == .refused) {
            // It is on its way there.
            if gap > 0 || ahead <= restartMark { setPaused(false) } else if ahead >= forward { setPaused(true) }
        } else if ahead <= min(forward / 4, 1 << 20) {
            // It fills another place, and here it is about to run dry.
            endTransfer()
            start(at: goal)
        } else {
            setPaused(true)
        }
    }

    /// A full buffer fetches nothing until an eighth of it has been read: not every read moves the network.
    private var restartMark: Int64 { forward - max(64 << 10, forward / 8) }

    private func setPaused(_ paused: Bool) {
        guard transfer?.isPaused != paused else { return }
        transfer?.isPaused = paused
        transfer?.mark = loop.time
        transfer?.task.setPaused(paused)
    }

    func endTransfer() {
        transfer?.task.cancel()
        transfer = nil
    }

    private func start(at goal: Int64) {
        var stop: Int64?
        // Up to what is there already, unless that is so little that reading over it is cheaper than another request.
        if plan.facts.ranges != .refused, let there = cache.nextRange(after: goal),
            there.upperBound - there.lowerBound > settings.skipLimit
        {
            stop = there.lowerBound
        }
        plan.aim(from: goal, to: stop)
        serial += 1
        let id = serial
        let (range, ifRange) = plan.request()
        var options = options
        if let ifRange { options.headers["If-Range"] = ifRange }
        log.requests += 1
        if plan.retry.failures > 0 { log.retries += 1 }
        let task = loop.start(
            HTTPRequest(url: url, range: range, options: options),
            HTTPCallbacks(
                onResponse: { [weak self] in self?.answered($0, id) },
                onBytes: { [weak self] in self?.received($0, id) },
                onEnd: { [weak self] in self?.ended($0, id) },
                onTitle: { [weak self] in self?.titleCame($0) }))
        transfer = Transfer(serial: id, task: task)
    }

    // MARK: callbacks

    private func answered(_ response: HTTPResponse, _ id: Int) {
        stationCame(response.stationName)
        monitor.withLock {
            guard transfer?.serial == id else { return }
            switch plan.answered(response) {
            case .fail(let error):
                endTransfer()
                return fail(error)
            case .again:
                endTransfer()
            case .take(let isOtherVersion, let note):
                transfer?.isCompared = isOtherVersion
                transfer?.mark = loop.time
                if let note { log.note = HTTPError(.changed, url: response.url, reason: note) }
                changed.broadcast()
            }
            notice(soon: true)
            steer()
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, _ id: Int) {
        monitor.withLock {
            guard let current = transfer, current.serial == id else { return }
            let time = loop.time
            log.bytes += Int64(bytes.count)
            log.receiving += max(0, time - current.mark)
            transfer?.mark = time
            hasStarted = true
            let start = plan.bodyPosition
            if current.isCompared, !cache.agrees(with: bytes, at: start) {
                endTransfer()
                return fail(
                    HTTPError(
                        .changed, url: url, reason: "the file was replaced on the server while it was being read"))
            }
            _ = plan.received(bytes.count)
            keep(bytes, at: start)
            if readers > 0 { changed.broadcast() }
            notice(soon: false)
            steer()
        }
    }

    /// Stores what is worth it: everything when the file fits, else nothing far behind the reader.
    private func keep(_ bytes: UnsafeRawBufferPointer, at start: Int64) {
        let end = start + Int64(bytes.count)
        if !fitsWhole, end < position - Int64(cache.budget) / 8, start > 1 << 20 { return }
        cache.store(
            bytes, at: start,
            interest: ByteCache.Interest(
                position: position, forward: forward, others: formerPositions, length: plan.facts.length))
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>, _ id: Int) {
        monitor.withLock {
            guard transfer?.serial == id else { return }
            transfer = nil
            let error: HTTPError? = if case .failure(let error) = result { error } else { nil }
            switch plan.ended(error, url: url, at: loop.time) {
            case .complete:
                plan.retry.reset()
                changed.broadcast()
                steer()
            case .again: steer()
            case .failed(let error): failed(error)
            }
            notice(soon: true)
        }
    }

    // MARK: failures

    private func failed(_ error: HTTPError) {
        log.errors += 1
        log.lastError = error
        guard error.isTransient else { return fail(error) }
        if let delay = plan.retry.delay(after: error, policy, at: loop.time, random: settings.random()) {
            again(after: delay)
        } else if readers == 0 {
            // Nobody misses it yet: the buffer may outlast the trouble.
            again(after: max(policy.longestDelay, error.retryAfter.map { Int64(min($0, 3600) * 1e9) } ?? 0))
        } else {
            fail(error)
        }
    }

    private var policy: RetryPolicy { hasStarted ? settings.playing : settings.opening }

    private func again(after delay: Int64) {
        retryTimer?.cancel()
        retryTimer = loop.schedule(at: loop.time + delay) { [weak self] in
            guard let self else { return }
            monitor.withLock {
                self.retryTimer = nil
                self.steer()
            }
        }
    }

    /// A read begins to wait: if nobody did while the tries were used up, it has all of them before it.
    func retrySooner() {
        guard retryTimer != nil, readers == 1, triesAreUsedUp else { return }
        retryTimer?.cancel()
        retryTimer = nil
        plan.retry.reset()
    }

    var triesAreUsedUp: Bool { plan.retry.isUsedUp(policy, at: loop.time) }

    private func fail(_ error: HTTPError) {
        failure = error
        log.lastError = error
        plan.retry.reset()
        retryTimer?.cancel()
        retryTimer = nil
        changed.broadcast()
        notice(soon: true)
    }

    // MARK: notices

    func notice(soon: Bool) {
        guard onChange != nil, noticeIsDue != .soon, noticeIsDue == nil || soon else { return }
        noticeIsDue = soon ? .soon : .later
        if soon {
            loop.perform { [weak self] in self?.tell() }
        } else {
            loop.schedule(at: loop.time + 100_000_000) { [weak self] in self?.tell() }
        }
    }

    private func tell() {
        let body = monitor.withLock {
            // Told already by one that was sooner.
            guard noticeIsDue != nil else { return nil as (@Sendable () -> Void)? }
            noticeIsDue = nil
            return onChange
        }
        body?()
    }
}
