import Foundation
import MediaCore
import TestSupport

@testable import Streaming

/// Random events of a stream.
extension PlannedStream {
    // MARK: server

    static let variants = 3

    /// Returns a presentation with three variants. The middle one, or each of them, has a redundant playlist on another
    /// host.
    func presentation() throws -> HLSPresentation {
        var text = "#EXTM3U\n"
        let groups = shape.audioGroups ?? Array(repeating: shape.hasAudio ? "a" : nil, count: Self.variants)
        for host in shape.hasAudioCopy ? ["a", "b"] : Set(groups.compactMap { $0 }).sorted() {
            let name = shape.audioGroups == nil ? "en" : "audio_\(host)"
            text +=
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(host)\",NAME=\"\(name)\",DEFAULT=YES,URI=\"http://\(host)/audio.m3u8\"\n"
        }
        for (index, rate) in [300_000, 1_000_000, 3_000_000].enumerated() {
            let sound = groups[index].map { ",AUDIO=\"\($0)\"" } ?? ""
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),RESOLUTION=\(320 << index)x\(180 << index)\(sound)\n"
            text += "http://a/\(index).m3u8\n"
            guard index == 1 || shape.hasCopies else { continue }
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),RESOLUTION=\(320 << index)x\(180 << index)\(shape.hasAudioCopy ? ",AUDIO=\"b\"" : sound)\n"
            text += "http://b/\(index).m3u8\n"
        }
        guard case .multivariant(let playlist) = try Playlist.parse(Array(text.utf8), url: url) else {
            throw AVError(.playlistInvalid, at: url.absoluteString, reason: "is none")
        }
        return try HLSPresentation(playlist, canDecode: { _ in true })
    }

    func media(_ url: URL) -> MediaPlaylist {
        let segments = window.map { number in
            var segment = MediaSegment(uri: "\(number).ts", duration: 4, mediaSequence: number)
            segment.isGap = shape.hasGaps && number % 7 == 3
            segment.discontinuitySequence = number / 5
            // The newest segments are still listed with their parts.
            if shape.hasParts, number >= window.upperBound - 2 {
                segment.parts = Self.parts(of: number, 4)
            }
            return segment
        }
        var playlist = MediaPlaylist(
            url: url, targetDuration: 4, mediaSequence: window.lowerBound, segments: segments)
        playlist.isEnded = !shape.isLive || isOver
        guard shape.hasParts, !playlist.isEnded else { return playlist }
        playlist.lowLatency.partTargetDuration = 1
        playlist.lowLatency.serverControl = ServerControl()
        playlist.lowLatency.serverControl?.canBlockReload = true
        playlist.incompleteSegment.parts = Self.parts(of: window.upperBound, parts)
        return playlist
    }

    private static func parts(of number: Int, _ count: Int) -> [PartialSegment] {
        (0..<count).map { part in
            var fresh = PartialSegment(uri: "\(number).\(part).ts", duration: 1)
            fresh.isGap = number % 3 == 0 && part == 1
            return fresh
        }
    }

    /// Adds a part or a segment to the live window.
    func advance() {
        guard shape.isLive, !isOver else { return }
        if shape.hasParts, parts < 3 {
            parts += 1
            return
        }
        parts = 0
        let step = numbers.below(10) == 0 ? numbers.below(20) + 1 : 1
        let upper = window.upperBound + step
        window = max(window.lowerBound, upper - 8 - numbers.below(8))..<upper
    }

    /// Answers the request for a playlist, or for its reload.
    func answer(_ url: URL) {
        requested.remove(url)
        let fresh = media(url)
        if let timed = known[url]?.timed {
            let moved = fresh.mediaSequence - timed.playlist.mediaSequence
            known[url]?.timed = TimedPlaylist(
                fresh, epoch: timed.epoch + Int64(moved) * Self.segment, generation: timed.generation)
        } else {
            let beside = plan.timeline.reference.flatMap { known[$0]?.timed }
            let (epoch, generation) = plan.align(fresh, of: url, beside: beside)
            known[url, default: KnownPlaylist()].timed = TimedPlaylist(
                fresh, epoch: epoch, generation: generation)
        }
        known[url]?.failure = nil
        known[url]?.reloadFailure = nil
        known[url]?.isOutdated = false
        send(.playlistChanged(url))
    }

    /// Simulates several failed reloads in a row, which are still retried.
    func failReloads(_ url: URL, _ error: HTTPError) {
        known[url]?.reloadFailure = error.avError
        send(.playlistChanged(url))
    }

    func refuse(_ url: URL, _ error: HTTPError) {
        requested.remove(url)
        known[url, default: KnownPlaylist()].failure = error.avError
        known[url]?.failureIsTransient = error.isTransient
        send(.playlistChanged(url))
    }

    /// Simulates an encoder that restarts its sequence numbers.
    func handleRestart(_ url: URL) {
        guard var timed = known[url]?.timed, shape.isLive, !isOver else { return }
        window = 0..<(4 + numbers.below(6))
        parts = 0
        timed.replace(with: media(url))
        known[url]?.timed = timed
        isBeginningAnew = true
        send(.restarted(url))
        isBeginningAnew = false
        send(.playlistChanged(url))
        count("began anew")
    }

    private var error: HTTPError {
        let kinds: [(HTTPError.Kind, Int?)] = [
            (.connectionLost, nil), (.timedOut, nil), (.status, 404), (.status, 500),
            (.cannotConnect, nil),
            (.tooLarge, nil),
        ]
        let (kind, status) = kinds[numbers.below(kinds.count)]
        return HTTPError(kind, url: url, status: status, reason: "a test's")
    }

    // MARK: steps

    /// Performs one random event.
    func step() {
        let role: StreamRole = shape.hasAudio && numbers.below(3) == 0 ? .audio : .main
        switch numbers.below(40) {
        case 0..<8: arriveSoon(role)
        case 8..<12: trickle(role)
        case 12..<15: fail(role, error)
        case 15..<18: if let url = sorted(requested).first { answer(url) }
        case 18: if let url = sorted(requested).first { refuse(url, error) }
        case 19..<23: reload()
        case 23..<26: if !soon.isEmpty { send(soon.removeFirst()) }
        case 26..<31: pass(Int64(numbers.below(4_000)) * 1_000_000)
        case 31: seek()
        case 32:
            send(.limits(AdaptationLimits(peakBitRate: [0, 500_000, 2_000_000][numbers.below(3)])))
        case 33: numbers.below(4) == 0 ? send(.decodingIsTooSlow) : send(.check)
        case 34: if numbers.below(4) == 0 { suspend() }
        case 35: if let order = stretches[.main].flatMap({ _ in loads[.main]?.order }) { reject(order) }
        case 36: if let load = loads[role] { send(.loadFailed(role, load: load.order.load, gone(role))) }
        case 37: if let url = active.first { handleRestart(url) }
        case 38: awaited = awaited.contains(role) ? awaited.subtracting([role]) : awaited.union([role])
        default: kept = [:]
        }
        if wantsPresentation, numbers.below(3) == 0 { present() }
        if opened == nil || numbers.below(60) == 0 { open() }
    }

    /// Removes the running load of `role` and returns the error that ended it.
    private func gone(_ role: StreamRole) -> AVError {
        if let load = loads.removeValue(forKey: role) { skip(load.order) }
        return AVError(.decodeFailed, at: url.absoluteString, reason: "the key is not the right one")
    }

    func open() {
        if opened == nil, wantsPresentation || !requested.isEmpty { return }
        opened = nil
        shownTime = nil
        send(
            .open(
                StreamSelection(),
                start: numbers.below(2) == 0 ? nil : Int64(numbers.below(50)) * Self.second))
    }

    func present() {
        wantsPresentation = false
        guard let presentation = try? presentation() else { return complain("has no presentation") }
        send(.didLoadPresentation(presentation))
    }

    func seek() {
        shownTime = nil
        send(.seek(Int64(numbers.below(60)) * Self.second))
        count("sought")
    }

    func suspend() {
        send(.suspend)
        loseReloads()
        // Some readers continue, others open the stream again.
        if numbers.below(2) == 0 { open() } else { seek() }
    }

    func arriveSoon(_ role: StreamRole) {
        guard let load = loads[role], load.retriesAt.map({ $0 <= now }) ?? true else { return }
        loads[role]?.retriesAt = nil
        loads[role]?.progress.bytes += 200_000
        loads[role]?.progress.firstByte = load.progress.firstByte ?? now
        guard load.left > 0 else { return }
        loads[role]?.left -= 1
        if case .parts = load.order.content { loads[role]?.progress.mediaBrought += Self.second }
        if load.left > 1 { return }
        if load.isOpen { loads[role]?.progress.isWaitingForParts = true } else { finish(role) }
    }

    func trickle(_ role: StreamRole) {
        guard let load = loads[role], load.retriesAt == nil, !load.progress.isWaitingForParts else {
            return
        }
        let bytes = Int64(numbers.below(20_000))
        loads[role]?.progress.bytes += bytes
        loads[role]?.progress.firstByte = load.progress.firstByte ?? now
        loads[role]?.progress.retry.gained(bytes)
        send(.progressed(role, load: load.order.load))
    }

    func fail(_ role: StreamRole, _ error: HTTPError) {
        guard let load = loads[role], load.left > 0, load.retriesAt.map({ $0 <= now }) ?? true else {
            return
        }
        loads[role]?.retriesAt = nil
        loads[role]?.awaitsAnswer = true
        var progress = load.progress
        progress.retry.failed(at: now)
        loads[role]?.progress = progress
        send(.tryFailed(role, load: load.order.load, error, progress))
    }

    private func reload() {
        advance()
        if let url = active.first { answer(url) }
    }

    /// The order of a set differs in each run, so the URLs are sorted.
    private func sorted(_ urls: some Collection<URL>) -> [URL] {
        urls.sorted { $0.absoluteString < $1.absoluteString }
    }
    private var active: [URL] { sorted(known.keys).filter { known[$0]?.isActive == true } }

    /// Advances the clock and performs what is due by then.
    func pass(_ length: Int64) {
        now = now + length
        if !isPaused, case .success = opened {
            // A rendition that has ended does not limit the playhead.
            let reach = roles.filter { stretches[$0]?.told == nil }.compactMap { plan[$0]?.position }.min()
            shownTime = min((shownTime ?? plan.target.time) + length, reach ?? .max)
        }
        for role in StreamRole.allCases {
            guard let time = wakes[role], time <= now else { continue }
            wakes[role] = nil
            send(.timerFired(role))
        }
        let due = later.filter { $0.time <= now }
        later.removeAll { $0.time <= now }
        for entry in due { send(entry.event) }
    }

    // MARK: end without faults

    /// Whether the reader cannot continue: every rendition has ended, or one has failed.
    private var isOverForReader: Bool {
        let told = roles.map { stretches[$0]?.told }
        let isBroken = told.contains { told in
            switch told {
            case .failure, .jump: true
            case .end, nil: false
            }
        }
        return isBroken || !told.isEmpty && !told.contains { $0 == nil }
    }

    /// Answers all requests from now on and ends the stream.
    /// - Returns: Whether the reader is notified of the end of each rendition.
    func calm() -> Bool {
        isOver = true
        for url in sorted(known.keys) where known[url]?.timed != nil { answer(url) }
        if case .success = opened, roles.isEmpty { seek() }
        for _ in 0..<2_000 {
            switch opened {
            case .failure: return true
            case .success: if isOverForReader { return true }
            case nil: open()
            }
            awaited = Set(StreamRole.allCases)
            if wantsPresentation { present() }
            for url in sorted(requested) { answer(url) }
            while !soon.isEmpty { send(soon.removeFirst()) }
            for role in StreamRole.allCases { arriveSoon(role) }
            // A live playlist is reloaded.
            for url in active where known[url]?.timed?.playlist.isLive == true { answer(url) }
            send(.check)
            pass(Self.second)
        }
        return false
    }
}
