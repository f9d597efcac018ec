import Foundation
import MediaCore

/// Decides how a resource, or a part of it, is loaded over HTTP: which range to request, whether an answer can be used,
/// which of its bytes are new, and what follows when it ends.
///
/// A value: events in, decisions out. It sends nothing, has no clock and knows no thread, so that remote files,
/// segments, small loads and downloads share one set of rules:
///
/// - **Ranges.** A partial answer without `Content-Range` is used when its length fits the request. Any answer that
///   does not fit, and any status that refuses the range, leads to one more request without a range.
/// - **Short answers.** What a partial answer brings is kept, and the rest is requested.
/// - **Versions.** Weak entity tags and dates that change between answers of one length are one file. A strong tag or
///   a length that changes makes it read the resource from its start, once, in one answer; then it fails. That answer's
///   length is the true one: if it is another one, the bytes that are there are treated as `EarlierBytes` says.
/// - **Retries.** Only new bytes count as progress. An answer that ends early at the same byte five times is final.
package struct TransferPlan: Sendable {
    package enum Answer: Sendable {
        /// Use the body. `isOtherVersion`: it may differ from the bytes that are already there; they are to be
        /// compared or discarded (`startOver`). `note` says what is odd about it.
        case take(isOtherVersion: Bool, note: String?)
        /// Cancel the request, and send the next one now.
        case again
        case fail(HTTPError)
    }

    /// What the owner of the plan does with the bytes that are there when an answer with the whole resource may be
    /// another version.
    package enum EarlierBytes: Sendable {
        /// They have been handed on. An answer of another length fails.
        case kept
        /// They are compared with those of the answer, and loading fails if they differ. Another length alone is no
        /// other version.
        case compared
        /// They are discarded.
        case discarded
    }

    package enum End: Sendable {
        case complete
        /// Send the next request now.
        case again
        /// Retry if `isTransient` and if the retry policy allows it.
        case failed(HTTPError)
    }

    /// The first byte of the resource that is wanted, and the one behind the last; nil: all to its end.
    package private(set) var first: Int64
    package private(set) var end: Int64?
    /// The next byte that is wanted.
    package private(set) var position: Int64
    package var facts: ResourceFacts
    package var retry: TransferRetry

    /// Of the request under way.
    private var body = TransferBody()

    /// An internet radio: it has no ranges, and each answer begins with what it sends now.
    private var isRadio = false
    private let probesRanges: Bool
    private let earlierBytes: EarlierBytes
    /// Whether a server has said anything of the resource.
    package private(set) var isKnown: Bool
    private var oddities = Oddities()
    private var versions = Versions()
    private var earlyEnds = EarlyEnds()

    /// What a server does about ranges beside having them or not.
    private struct Oddities: Sendable {
        var needsRange = false
        /// A request for a range has met a 500.
        var hasFailed = false
        /// That was perhaps not for its range.
        var mayHaveRanges = false
    }

    /// Whether the resource was replaced while it was loaded.
    private struct Versions: Sendable {
        var hasReadAgain = false
        var expectsOther = false
        /// A strong tag has shown that the resource was replaced.
        var tagHasChanged = false
    }

    /// - Parameters:
    ///   - first: the first byte of the resource that is wanted.
    ///   - end: the byte behind the last one; nil: the resource's end.
    ///   - received: the number of those bytes that are already there.
    ///   - facts: what is known of the resource that those bytes came from.
    ///   - retry: failures of what was loaded just before.
    ///   - probesRanges: whether the first request already asks for a range, which shows if the server has them.
    ///   - earlierBytes: what is done with the bytes that are there when another version comes.
    package init(
        from first: Int64 = 0, to end: Int64? = nil, received: Int64 = 0, facts: ResourceFacts = ResourceFacts(),
        retry: TransferRetry = TransferRetry(), probesRanges: Bool = false, earlierBytes: EarlierBytes = .kept
    ) {
        self.earlierBytes = earlierBytes
        self.first = first
        self.end = end
        self.facts = facts
        self.retry = retry
        self.probesRanges = probesRanges
        position = first.addingSaturating(max(0, received))
        isKnown = facts.length != nil || !facts.validator.isEmpty
    }

    /// The bytes of the range that are there.
    package var received: Int64 { position - first }
    /// Everything wanted is there.
    package var isComplete: Bool { end.map { position >= $0 } ?? false }
    /// Whether the resource has no bytes behind those that are there.
    package var isAtEndOfResource: Bool { facts.length.map { position >= $0 } ?? false }
    /// How many bytes the range has; nil while unknown.
    package var expected: Int64? { (end ?? facts.length).map { max(0, $0 - first) } }
    /// Everything wanted is there, and the answer goes on with more.
    package var hasSurplus: Bool { isComplete && body.hasMore }
    /// Where the next byte of the body belongs in the resource.
    package var bodyPosition: Int64 { body.position }

    /// Other bytes of the same resource are wanted.
    package mutating func aim(from first: Int64, to end: Int64?) {
        self.first = first
        self.end = end
        position = first
    }

    /// The bytes that were there are discarded; what comes now is one version, which ranges may continue.
    package mutating func startOver() {
        position = first
        if facts.ranges == .refused { facts.ranges = .unknown }
    }

    // MARK: the request

    /// The range and the `If-Range` to send.
    package mutating func request() -> (range: (first: Int64, last: Int64?)?, ifRange: String?) {
        let wantsRange =
            !isRadio && facts.ranges != .refused && (position > 0 || end != nil || probesRanges || oddities.needsRange)
        body = TransferBody(
            asked: wantsRange ? (position, end.map { max(position, $0 - 1) }) : nil,
            sentValidator: wantsRange && isKnown ? facts.validator : "", from: isRadio ? position : 0)
        return (body.asked, body.sentValidator.isEmpty ? nil : body.sentValidator)
    }

    // MARK: the answer

    private struct Extent {
        var start: Int64
        /// Of the body, bytes.
        var length: Int64?
        /// Of the resource, bytes.
        var whole: Int64?
        var isPart: Bool
    }

    package mutating func answered(_ response: HTTPResponse) -> Answer {
        if response.isRadio {
            isRadio = true
            isKnown = true
            body.lies(at: position)
            return .take(isOtherVersion: false, note: nil)
        }
        guard let extent = extent(of: response) else {
            if dropRange() { return .again }
            return .fail(
                HTTPError(
                    .wrongAnswer, url: response.url, status: response.status,
                    reason: "the server returned a different range than requested"))
        }
        let new = ResourceFacts(response, length: extent.whole)
        var note: String?
        var isOther = false
        switch isKnown ? facts.compare(new) : .same {
        case .same:
            // Without a length it may be the other version all the same.
            isOther = versions.expectsOther && new.length == nil && earlierBytes != .kept
        case .alike(let reason):
            // The server answered with the whole only because of this date, which means nothing.
            let isOnlyDate = body.asked != nil && !extent.isPart && !body.sentValidator.isEmpty
            note = "\(reason); the size is the same, so reading continues"
            if facts.lastModified != new.lastModified { facts.datesVary = true }
            if isOnlyDate, position > 0, facts.validator.isEmpty { return .again }
        case .other(let reason):
            let error = HTTPError(
                .changed, url: response.url,
                reason: "the file was replaced on the server while it was being read: \(reason)")
            versions.tagHasChanged = versions.tagHasChanged || facts.hasOtherStrongTag(than: new)
            let isOfOneLength = facts.length == nil || facts.length == new.length
            let isUsable =
                switch earlierBytes {
                case .kept: isOfOneLength
                case .compared: isOfOneLength || !versions.tagHasChanged
                case .discarded: true
                }
            if versions.expectsOther, !extent.isPart, isUsable {
                isOther = true
                note = reason
                break
            }
            guard !versions.hasReadAgain, isUsable || extent.isPart else { return .fail(error) }
            versions.hasReadAgain = true
            if extent.isPart {
                versions.expectsOther = true
                facts.ranges = .refused
                return .again
            }
            note = reason
            isOther = true
        }
        versions.expectsOther = false
        learn(new, response, extent, isOther: isOther)
        body.lies(at: extent.start, length: extent.length, isPart: extent.isPart)
        return .take(isOtherVersion: isOther, note: note)
    }

    private mutating func learn(
        _ new: ResourceFacts, _ response: HTTPResponse, _ extent: Extent, isOther: Bool
    ) {
        if extent.isPart {
            facts.ranges = .accepted
        } else if let asked = body.asked {
            // From the first byte on a server may answer with the whole and have ranges all the same.
            facts.ranges = asked.first == 0 && response.acceptsRanges ? .promised : .refused
        } else if response.acceptsRanges, facts.ranges == .unknown || oddities.mayHaveRanges {
            facts.ranges = .promised
        }
        oddities.mayHaveRanges = false
        if isOther {
            facts.length = new.length
            // Its versions differ without being others: nothing can be continued by a range.
            facts.ranges = .refused
        }
        facts.length = facts.length ?? new.length
        facts.entityTag = new.entityTag ?? (isOther ? nil : facts.entityTag)
        facts.lastModified = new.lastModified ?? (isOther ? nil : facts.lastModified)
        isKnown = true
    }

    /// Where the body lies in the resource; nil if it is not what was requested, or nobody can tell.
    private func extent(of response: HTTPResponse) -> Extent? {
        let coding = response.headers["content-encoding"]?.lowercased() ?? ""
        let isCoded = !coding.isEmpty && coding != "identity"
        let length = response.contentLength
        if response.status == 206 {
            // A range of a compressed body is a range of other bytes than those that arrive here.
            if isCoded { return nil }
            if let start = response.rangeStart {
                let reaches = length.map { start.addingSaturating($0) > position } ?? true
                guard start <= position, reaches || isComplete, body.asked != nil || start == 0 else { return nil }
                return Extent(start: start, length: length, whole: whole(of: response), isPart: true)
            }
            let kind = response.headers["content-type"]?.lowercased() ?? ""
            guard let asked = body.asked, let length, !kind.hasPrefix("multipart/byteranges") else { return nil }
            if let last = asked.last {
                guard length == last - asked.first + 1 else { return nil }
                return Extent(start: asked.first, length: length, whole: nil, isPart: true)
            }
            guard facts.length.map({ length == $0 - asked.first }) ?? (asked.first == 0) else { return nil }
            return Extent(
                start: asked.first, length: length, whole: asked.first.addingSaturating(length), isPart: true)
        }
        // A part under the status of the whole.
        if let asked = body.asked, let length, !isCoded, length != facts.length,
            let text = response.headers["content-range"]
        {
            let (start, whole) = HTTPHead.contentRange(text)
            if let start, let whole, start == asked.first, start.addingSaturating(length) <= whole {
                return Extent(start: start, length: length, whole: whole, isPart: length < whole)
            }
        }
        return Extent(
            start: 0, length: isCoded ? nil : length, whole: isCoded ? nil : response.wholeLength ?? length,
            isPart: false)
    }

    /// The length that a partial answer tells; nil where it may be that of the part, which some servers tell instead.
    private func whole(of response: HTTPResponse) -> Int64? {
        guard let whole = response.wholeLength, facts.length == nil, let last = body.asked?.last,
            whole == last.addingSaturating(1)
        else {
            return response.wholeLength
        }
        return nil
    }

    /// Whether another request, without a range, is worth sending.
    private mutating func dropRange() -> Bool {
        guard body.asked != nil else { return false }
        facts.ranges = .refused
        oddities.needsRange = false
        oddities.mayHaveRanges = false
        return true
    }

    // MARK: the body

    /// Which part of the next `count` bytes of the body is wanted and new.
    package mutating func received(_ count: Int) -> Range<Int> {
        let start = body.position
        let new = body.received(count, wanted: position, limit: end)
        if !new.isEmpty {
            position = start.addingSaturating(Int64(new.upperBound))
            retry.gained(Int64(new.count))
        }
        return new
    }

    // MARK: the end

    /// The answer has ended, or the request has failed.
    /// - Parameters:
    ///   - error: nil: the body came as announced.
    ///   - url: what was requested, for errors.
    package mutating func ended(_ error: HTTPError?, url: URL, at time: HostTime) -> End {
        if isComplete { return .complete }
        guard let error else { return ended(url, time) }
        if end == nil, let length = facts.length, position >= length, length > 0 { return .complete }
        if error.status == 416 { return rangeRefused(error, time) }
        if refusesRange(error), dropRange() { return .again }
        // A server's own trouble, as a rule; some have it with each range.
        if error.status == 500, body.asked != nil, facts.ranges != .accepted {
            let isFirst = !oddities.hasFailed
            oddities.hasFailed = true
            _ = dropRange()
            oddities.mayHaveRanges = isFirst
        }
        return failed(error, time)
    }

    private mutating func ended(_ url: URL, _ time: HostTime) -> End {
        // Without a length of its own an answer tells it by its end; a part does so by having no more bytes.
        if facts.length == nil, body.isPart ? body.gained == 0 && end == nil : bodyPosition >= position {
            facts.length = bodyPosition
        }
        if end == nil, let length = facts.length, position >= length { return .complete }
        if body.isPart, body.gained > 0 { return .again }
        return failed(HTTPError(.truncated, url: url, reason: ""), time)
    }

    /// RFC 9110 §15.5.17, which some servers send for any range, and some without one.
    private mutating func rangeRefused(_ error: HTTPError, _ time: HostTime) -> End {
        guard body.asked != nil else {
            guard !oddities.needsRange, facts.ranges != .accepted else { return failed(error, time) }
            oddities.needsRange = true
            facts.ranges = .unknown
            return .again
        }
        if facts.length == nil, position > 0 { facts.length = error.resourceLength }
        let isInside = error.resourceLength.map { $0 > position } ?? (facts.ranges != .accepted)
        // An empty file has no range at all.
        if isInside || position == 0 { return dropRange() ? .again : failed(error, time) }
        if end == nil, facts.length.map({ $0 == position }) ?? true, error.resourceLength ?? position == position {
            facts.length = position
            isKnown = true
            return .complete
        }
        retry.failed(at: time)
        var cutOff = HTTPError(
            .truncated, url: error.url, status: 416,
            reason: "the file on the server is cut off at byte \(position)\(length.map { " of \($0)" } ?? "")"
        )
        cutOff.isFinal = true
        return .failed(cutOff)
    }

    /// Statuses that servers use for a `Range` they cannot handle.
    private func refusesRange(_ error: HTTPError) -> Bool {
        guard body.asked != nil, error.kind == .status, let status = error.status else { return false }
        switch status {
        case 401, 404, 407, 408, 410, 425, 429, 451: return false
        // A link that has expired is refused too, but after its ranges were answered.
        case 403: return facts.ranges != .accepted
        case 400..<500, 501, 505: return true
        default: return false
        }
    }

    private mutating func failed(_ error: HTTPError, _ time: HostTime) -> End {
        retry.failed(at: time)
        guard error.kind == .truncated else { return .failed(error) }
        var error = error
        error.isFinal = earlyEnds.isFinal(at: position, body: bodyPosition)
        if error.url.scheme?.lowercased().hasPrefix("http") != false {
            let of = length.map { " of \($0)" } ?? ""
            error.reason = "the server's response ended early, at byte \(bodyPosition)\(of)"
        }
        return .failed(error)
    }

    private var length: Int64? { end ?? facts.length }
}
