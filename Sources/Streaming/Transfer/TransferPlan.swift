import Foundation
import MediaCore

/// A plan that decides how a resource, or a part of it, is loaded over HTTP.
///
/// The plan decides which range to request, whether a response can be used, which of its bytes are new, and what
/// follows at its end. It is a value that turns events into decisions. It sends no requests and has no clock and no
/// thread, so remote files, segments, small loads and downloads share one set of rules:
///
/// - **Ranges.** A partial response without `Content-Range` is used if its length matches the request. After a response
///   that does not match, or a status that rejects the range, the plan sends one more request without a range.
/// - **Short responses.** The bytes of a partial response are kept, and the rest is requested.
/// - **Versions.** Weak entity tags and dates that change between responses of the same length are ignored. If a strong
///   tag or the length changes, the plan reads the resource again from its start, in one response. This happens once; a
///   further change fails. The length of that response is the true one. If it differs from the earlier one,
///   `EarlierBytes` decides about the bytes that are already present.
/// - **Retries.** Only new bytes count as progress. If five responses in a row end early at the same byte, a retry
///   cannot help.
package struct TransferPlan: Sendable {
    /// The decision about the head of a response.
    package enum Answer: Sendable {
        /// Use the body. If `isOtherVersion`, its bytes may differ from those already present, which must be compared
        /// or discarded (`startOver`). `note` describes an irregularity of the response.
        case take(isOtherVersion: Bool, note: String?)
        /// Cancel the request and send the next one immediately.
        case sendNextRequest
        case fail(HTTPError)
    }

    /// The treatment of bytes that are already present when a response with the whole resource may have another
    /// version.
    package enum EarlierBytes: Sendable {
        /// The bytes have been passed on and stay. A response of another length fails.
        case kept
        /// The bytes are compared with those of the response, and loading fails if they differ. A different length
        /// makes loading fail only if a strong entity tag has changed too.
        case compared
        /// The bytes are discarded.
        case discarded
    }

    /// The decision after the end of a response.
    package enum End: Sendable {
        case complete
        /// Send the next request immediately.
        case sendNextRequest
        /// Retry if the error is transient and the retry policy allows it.
        case failed(HTTPError)
    }

    /// The offset of the first byte that is wanted.
    package private(set) var first: Int64
    /// The offset after the last byte that is wanted, or nil for the end of the resource.
    package private(set) var end: Int64?
    /// The offset of the next byte that is wanted.
    package private(set) var position: Int64
    package var facts: ResourceFacts
    package var retry: TransferRetry

    /// The body of the current request's response.
    private var body = TransferBody()

    /// Whether the resource is an internet radio. It has no ranges, and each response begins at the station's current
    /// position.
    private var isRadio = false
    private let probesRanges: Bool
    private let earlierBytes: EarlierBytes
    /// Whether a response has revealed anything about the resource.
    package private(set) var isKnown: Bool
    private var rangeQuirks = RangeQuirks()
    private var versions = Versions()
    private var earlyEnds = EarlyEnds()

    /// The peculiarities of a server's byte ranges.
    private struct RangeQuirks: Sendable {
        var needsRange = false
        /// Whether a request for a range has failed with status 500.
        var hasFailed = false
        /// Whether that failure may have had another cause than the range.
        var mayHaveRanges = false
    }

    /// The state of the version check: whether the resource was replaced while it was loaded.
    private struct Versions: Sendable {
        var hasReadAgain = false
        var expectsOther = false
        /// Whether a strong entity tag has shown that the resource was replaced.
        var tagHasChanged = false
    }

    /// Creates a plan.
    /// - Parameters:
    ///   - first: The offset of the first byte that is wanted.
    ///   - end: The offset after the last byte that is wanted, or nil for the end of the resource.
    ///   - received: The number of those bytes that are already present.
    ///   - facts: The facts about the resource that those bytes came from.
    ///   - retry: The state of the retries, including failures of the load just before.
    ///   - probesRanges: Whether the first request has a range, to find out whether the server supports ranges.
    ///   - earlierBytes: The treatment of present bytes if a response has another version.
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

    /// The number of bytes of the wanted range that are present.
    package var received: Int64 { position - first }
    /// Whether all wanted bytes are present.
    package var isComplete: Bool { end.map { position >= $0 } ?? false }
    /// Whether the present bytes reach the end of the resource.
    package var isAtEndOfResource: Bool { facts.length.map { position >= $0 } ?? false }
    /// The length of the wanted range in bytes, or nil if it is unknown.
    package var expected: Int64? { (end ?? facts.length).map { max(0, $0 - first) } }
    /// Whether all wanted bytes are present and the response still continues.
    package var hasSurplus: Bool { isComplete && body.hasMore }
    /// The offset of the body's next byte in the resource.
    package var bodyPosition: Int64 { body.position }

    /// Changes the wanted range to other bytes of the same resource.
    package mutating func aim(from first: Int64, to end: Int64?) {
        self.first = first
        self.end = end
        position = first
    }

    /// Discards the bytes that were present. The bytes that now arrive are of one version, so a request for a range may
    /// continue them.
    package mutating func startOver() {
        position = first
        if facts.ranges == .refused { facts.ranges = .unknown }
    }

    // MARK: the request

    /// Starts a new request and returns the range and the `If-Range` header to send.
    package mutating func request() -> (range: (first: Int64, last: Int64?)?, ifRange: String?) {
        let wantsRange =
            !isRadio && facts.ranges != .refused
            && (position > 0 || end != nil || probesRanges || rangeQuirks.needsRange)
        body = TransferBody(
            requestedRange: wantsRange ? (position, end.map { max(position, $0 - 1) }) : nil,
            sentValidator: wantsRange && isKnown ? facts.validator : "", from: isRadio ? position : 0)
        return (body.requestedRange, body.sentValidator.isEmpty ? nil : body.sentValidator)
    }

    // MARK: the answer

    private struct Extent {
        var start: Int64
        /// The length of the body, in bytes.
        var length: Int64?
        /// The length of the resource, in bytes.
        var whole: Int64?
        var isPart: Bool
    }

    package mutating func answered(_ response: HTTPResponse) -> Answer {
        if response.isRadio {
            isRadio = true
            isKnown = true
            body.setExtent(start: position)
            return .take(isOtherVersion: false, note: nil)
        }
        guard let extent = extent(of: response) else {
            if dropRange() { return .sendNextRequest }
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
            // Without a length, the response may still be the other version.
            isOther = versions.expectsOther && new.length == nil && earlierBytes != .kept
        case .alike(let reason):
            // The server sent the whole resource only because of this date, which does not identify a version.
            let isOnlyDate = body.requestedRange != nil && !extent.isPart && !body.sentValidator.isEmpty
            note = "\(reason); the size is the same, so reading continues"
            if facts.lastModified != new.lastModified { facts.datesVary = true }
            if isOnlyDate, position > 0, facts.validator.isEmpty { return .sendNextRequest }
        case .other(let reason):
            let error = HTTPError(
                .changed, url: response.url,
                reason: "the file was replaced on the server while it was being read: \(reason)")
            versions.tagHasChanged = versions.tagHasChanged || facts.hasOtherStrongTag(than: new)
            let hasSameLength = facts.length == nil || facts.length == new.length
            let isUsable =
                switch earlierBytes {
                case .kept: hasSameLength
                case .compared: hasSameLength || !versions.tagHasChanged
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
                return .sendNextRequest
            }
            note = reason
            isOther = true
        }
        versions.expectsOther = false
        learn(new, response, extent, isOther: isOther)
        body.setExtent(start: extent.start, length: extent.length, isPart: extent.isPart)
        return .take(isOtherVersion: isOther, note: note)
    }

    private mutating func learn(
        _ new: ResourceFacts, _ response: HTTPResponse, _ extent: Extent, isOther: Bool
    ) {
        if extent.isPart {
            facts.ranges = .accepted
        } else if let requestedRange = body.requestedRange {
            // For a range that begins at byte 0, a server may send the whole resource although it supports ranges.
            facts.ranges = requestedRange.first == 0 && response.acceptsRanges ? .promised : .refused
        } else if response.acceptsRanges, facts.ranges == .unknown || rangeQuirks.mayHaveRanges {
            facts.ranges = .promised
        }
        rangeQuirks.mayHaveRanges = false
        if isOther {
            facts.length = new.length
            // The server's versions are not reliable, so no range can continue this response.
            facts.ranges = .refused
        }
        facts.length = facts.length ?? new.length
        facts.entityTag = new.entityTag ?? (isOther ? nil : facts.entityTag)
        facts.lastModified = new.lastModified ?? (isOther ? nil : facts.lastModified)
        isKnown = true
    }

    /// Returns the body's range in the resource, or nil if it does not match the request or cannot be determined.
    private func extent(of response: HTTPResponse) -> Extent? {
        let coding = response.headers["content-encoding"]?.lowercased() ?? ""
        let isCoded = !coding.isEmpty && coding != "identity"
        let length = response.contentLength
        if response.status == 206 {
            // A range of a compressed body does not correspond to a range of the decompressed bytes that arrive here.
            if isCoded { return nil }
            if let start = response.rangeStart {
                let reaches = length.map { start.addingSaturating($0) > position } ?? true
                guard start <= position, reaches || isComplete, body.requestedRange != nil || start == 0 else {
                    return nil
                }
                return Extent(start: start, length: length, whole: whole(of: response), isPart: true)
            }
            let kind = response.headers["content-type"]?.lowercased() ?? ""
            guard let requestedRange = body.requestedRange, let length, !kind.hasPrefix("multipart/byteranges") else {
                return nil
            }
            if let last = requestedRange.last {
                guard length == last - requestedRange.first + 1 else { return nil }
                return Extent(start: requestedRange.first, length: length, whole: nil, isPart: true)
            }
            guard facts.length.map({ length == $0 - requestedRange.first }) ?? (requestedRange.first == 0) else {
                return nil
            }
            return Extent(
                start: requestedRange.first, length: length, whole: requestedRange.first.addingSaturating(length),
                isPart: true)
        }
        // The response has the status of a whole resource but contains a part.
        if let requestedRange = body.requestedRange, let length, !isCoded, length != facts.length,
            let text = response.headers["content-range"]
        {
            let (start, whole) = HTTPHead.contentRange(text)
            if let start, let whole, start == requestedRange.first, start.addingSaturating(length) <= whole {
                return Extent(start: start, length: length, whole: whole, isPart: length < whole)
            }
        }
        return Extent(
            start: 0, length: isCoded ? nil : length, whole: isCoded ? nil : response.wholeLength ?? length,
            isPart: false)
    }

    /// Returns the resource's length that a partial response states. The result is nil if the number may be the length
    /// of the part, which some servers send instead.
    private func whole(of response: HTTPResponse) -> Int64? {
        guard let whole = response.wholeLength, facts.length == nil, let last = body.requestedRange?.last,
            whole == last.addingSaturating(1)
        else {
            return response.wholeLength
        }
        return nil
    }

    /// Stops using ranges. Returns whether another request, without a range, can help.
    private mutating func dropRange() -> Bool {
        guard body.requestedRange != nil else { return false }
        facts.ranges = .refused
        rangeQuirks.needsRange = false
        rangeQuirks.mayHaveRanges = false
        return true
    }

    // MARK: the body

    /// Returns which of the body's next `count` bytes are wanted and new.
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

    /// Decides what follows after the response has ended or the request has failed.
    /// - Parameters:
    ///   - error: The request's error, or nil if the body was complete.
    ///   - url: The requested URL, for errors.
    package mutating func ended(_ error: HTTPError?, url: URL, at time: HostTime) -> End {
        if isComplete { return .complete }
        guard let error else { return ended(url, time) }
        if end == nil, let length = facts.length, position >= length, length > 0 { return .complete }
        if error.status == 416 { return rangeRefused(error, time) }
        if refusesRange(error), dropRange() { return .sendNextRequest }
        // Status 500 is usually a fault of the server, but some servers send it for every range.
        if error.status == 500, body.requestedRange != nil, facts.ranges != .accepted {
            let isFirst = !rangeQuirks.hasFailed
            rangeQuirks.hasFailed = true
            _ = dropRange()
            rangeQuirks.mayHaveRanges = isFirst
        }
        return failed(error, time)
    }

    private mutating func ended(_ url: URL, _ time: HostTime) -> End {
        // If the response states no length, its end shows the length. A part shows it when no more bytes follow.
        if facts.length == nil, body.isPart ? body.gained == 0 && end == nil : bodyPosition >= position {
            facts.length = bodyPosition
        }
        if end == nil, let length = facts.length, position >= length { return .complete }
        if body.isPart, body.gained > 0 { return .sendNextRequest }
        return failed(HTTPError(.truncated, url: url, reason: ""), time)
    }

    /// Handles status 416 (RFC 9110 §15.5.17). Some servers send it for any range, and some for a request without one.
    private mutating func rangeRefused(_ error: HTTPError, _ time: HostTime) -> End {
        guard body.requestedRange != nil else {
            guard !rangeQuirks.needsRange, facts.ranges != .accepted else { return failed(error, time) }
            rangeQuirks.needsRange = true
            facts.ranges = .unknown
            return .sendNextRequest
        }
        if facts.length == nil, position > 0 { facts.length = error.resourceLength }
        let isInside = error.resourceLength.map { $0 > position } ?? (facts.ranges != .accepted)
        // No range of an empty file is valid.
        if isInside || position == 0 { return dropRange() ? .sendNextRequest : failed(error, time) }
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

    /// Returns whether a server may have sent this status because it cannot handle the `Range` header.
    private func refusesRange(_ error: HTTPError) -> Bool {
        guard body.requestedRange != nil, error.kind == .status, let status = error.status else { return false }
        switch status {
        case 401, 404, 407, 408, 410, 425, 429, 451: return false
        // A link that has expired is rejected with 403 too, but only after the server has answered ranges.
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
            let lengthText = length.map { " of \($0)" } ?? ""
            error.reason = "the server's response ended early, at byte \(bodyPosition)\(lengthText)"
        }
        return .failed(error)
    }

    private var length: Int64? { end ?? facts.length }
}
