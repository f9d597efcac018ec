import Foundation
import MediaCore

/// What the file asks of the network. All with the monitor locked, unless a callback of the loop takes it.
extension RemoteFile {
    /// Sees to it that the right request runs, or none. After everything that moves the reader, the cache or a request.
    func steer() {
        guard !isClosed, failure == nil, retry.timer == nil else { return }
        let goal = cache.contiguousEnd(from: position)
        let ahead = goal - position
        if let length = description?.length, goal >= length {
            // All that lies ahead is here.
            if let current = transfer, current.next < length { setPaused(true) }
            return
        }
        guard let current = transfer else {
            if ahead == 0 || ahead <= restartMark { start(at: goal) }
            return
        }
        let gap = goal - current.next
        if gap == 0 || gap > 0 && (gap <= settings.skipLimit || description?.acceptsRanges == false) {
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
        let hasRanges = description?.acceptsRanges != false
        // A radio goes on with what it sends now.
        let begin = hasRanges || radio.isRadio ? goal : 0
        var stop: Int64?
        // Up to what is there already, unless that is so little that reading over it is cheaper than another request.
        if hasRanges, let there = cache.nextRange(after: goal), there.upperBound - there.lowerBound > settings.skipLimit
        {
            stop = there.lowerBound
        }
        serial += 1
        let id = serial
        var options = options
        var range: (first: Int64, last: Int64?)?
        // A range from 0 tells whether the server has them; a 416 for an empty file is asked again without.
        if hasRanges, !radio.isRadio, isFirstRange || begin > 0 || stop != nil {
            range = (begin, stop.map { $0 - 1 })
            if let validator = description?.ifRange { options.headers["If-Range"] = validator }
        }
        log.requests += 1
        if retry.failures > 0 { log.retries += 1 }
        let task = loop.start(
            HTTPRequest(url: url, range: range, options: options),
            HTTPCallbacks(
                onResponse: { [weak self] in self?.answered($0, id) },
                onBytes: { [weak self] in self?.received($0, id) },
                onEnd: { [weak self] in self?.ended($0, id) },
                onTitle: { [weak self] in self?.titleCame($0) }))
        transfer = Transfer(serial: id, task: task, next: begin, stop: stop, asked: begin)
    }

    // MARK: callbacks

    private func answered(_ response: HTTPResponse, _ id: Int) {
        stationCame(response.stationName)
        monitor.withLock {
            guard var current = transfer, current.serial == id else { return }
            if let problem = take(response, &current) {
                endTransfer()
                fail(problem)
                return
            }
            current.isAnswered = true
            current.mark = loop.time
            transfer = current
            changed.broadcast()
            notice(soon: true)
            steer()
        }
    }

    /// Takes over what the answer says; what is wrong with it.
    private func take(_ response: HTTPResponse, _ current: inout Transfer) -> HTTPError? {
        let isPart = response.status == 206
        if isPart {
            guard let first = response.rangeStart, first <= current.asked else {
                return HTTPError(
                    .other, url: response.url, status: 206,
                    reason: "the server answers another range than it was asked for")
            }
            current.next = first
        } else {
            radio.isRadio = response.isRadio
            current.next = radio.isRadio ? current.asked : 0
        }
        let fresh = Description(
            length: response.wholeLength, acceptsRanges: isPart || current.asked == 0 && response.acceptsRanges,
            entityTag: response.headers["etag"], lastModified: response.headers["last-modified"])
        guard var known = description else {
            description = fresh
            return nil
        }
        if known.differs(from: fresh) {
            return HTTPError(
                .changed, url: response.url, reason: "the file was replaced on the server while it was being read")
        }
        if !isPart, current.asked > 0 { known.acceptsRanges = false }
        if known.length == nil { known.length = fresh.length }
        description = known
        return nil
    }

    private func received(_ bytes: UnsafeRawBufferPointer, _ id: Int) {
        monitor.withLock {
            guard var current = transfer, current.serial == id else { return }
            let time = loop.time
            log.bytes += Int64(bytes.count)
            log.receiving += max(0, time - current.mark)
            current.mark = time
            noteProgress(Int64(bytes.count))
            keep(bytes, at: current.next)
            current.next += Int64(bytes.count)
            transfer = current
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
                position: position, forward: forward, others: formerPositions, length: description?.length))
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>, _ id: Int) {
        monitor.withLock {
            guard let current = transfer, current.serial == id else { return }
            transfer = nil
            switch result {
            case .success: completed(current)
            case .failure(let error): failed(error, current)
            }
            notice(soon: true)
        }
    }

    private func completed(_ current: Transfer) {
        if current.stop == nil {
            if description?.length == nil { description?.length = current.next }
            if let length = description?.length, current.next < length {
                return failed(
                    HTTPError(.truncated, url: url, reason: "the answer ends at byte \(current.next) of \(length)"),
                    current)
            }
        } else if let stop = current.stop, current.next < stop {
            return failed(
                HTTPError(.truncated, url: url, reason: "the answer ends at byte \(current.next) instead of \(stop)"),
                current)
        }
        retry.failures = 0
        changed.broadcast()
        steer()
    }

    // MARK: failures

    private func failed(_ error: HTTPError, _ current: Transfer) {
        log.errors += 1
        log.lastError = error
        if error.status == 416 {
            if current.asked == 0, isFirstRange {
                // An empty file has no range.
                isFirstRange = false
                return steer()
            }
            if description?.length == nil {
                description?.length = current.asked
                changed.broadcast()
                return
            }
            return fail(
                HTTPError(
                    .truncated, url: error.url, status: 416,
                    reason:
                        "the server has no byte \(current.asked), though it said there are \(description?.length ?? 0)")
            )
        }
        guard error.isTransient else { return fail(error) }
        if retry.failures == 0 {
            retry.first = loop.time
            retry.progress = 0
        }
        retry.failures += 1
        let policy = retry.hasStarted ? settings.playing : settings.opening
        let random = settings.random()
        let elapsed = loop.time - retry.first
        if let delay = policy.delay(after: error, failures: retry.failures, elapsed: elapsed, random: random) {
            again(after: delay)
        } else if readers == 0 {
            // Nobody misses it yet: the buffer may outlast the trouble.
            again(after: max(policy.longestDelay, error.retryAfter.map { Int64(min($0, 3600) * 1e9) } ?? 0))
        } else {
            fail(error)
        }
    }

    private func again(after delay: Int64) {
        retry.timer?.cancel()
        retry.timer = loop.schedule(at: loop.time + delay) { [weak self] in
            guard let self else { return }
            monitor.withLock {
                self.retry.timer = nil
                self.steer()
            }
        }
    }

    /// A read begins to wait: if nobody did while the tries were used up, it has all of them before it.
    func retrySooner() {
        guard retry.timer != nil, readers == 1, triesAreUsedUp else { return }
        retry.timer?.cancel()
        retry.timer = nil
        retry.failures = 0
    }

    var triesAreUsedUp: Bool {
        let policy = retry.hasStarted ? settings.playing : settings.opening
        return retry.failures >= policy.tries || loop.time - retry.first > policy.within
    }

    private func noteProgress(_ count: Int64) {
        retry.hasStarted = true
        guard retry.failures > 0 else { return }
        retry.progress += count
        // A few bytes between two breaks are no recovery.
        if retry.progress >= 16 << 10 { retry.failures = 0 }
    }

    private func fail(_ error: HTTPError) {
        failure = error
        retry.failures = 0
        retry.timer?.cancel()
        retry.timer = nil
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

extension RemoteFile.Description {
    /// For `If-Range`, which takes strong entity tags and dates only (RFC 9110 §13.1.5).
    var ifRange: String? {
        if let entityTag, !entityTag.hasPrefix("W/") { return entityTag }
        return lastModified
    }

    /// Whether an answer speaks of another resource than the first did.
    func differs(from other: Self) -> Bool {
        if let a = length, let b = other.length, a != b { return true }
        if let a = entityTag, let b = other.entityTag { return a != b }
        if let a = lastModified, let b = other.lastModified { return a != b }
        return false
    }
}
