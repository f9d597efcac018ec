import Foundation
import MediaCore

/// Loads the segments of one role, one at a time, as it is told: the key, then the bytes, which go decrypted into the
/// feed. It decides nothing: it reports to its owner, which answers.
@NetworkActor
final class RenditionLoader {
    /// What a loader loads with: the stream's, shared by its roles.
    struct Means {
        let loop: any NetworkLoop
        let gate: StreamGate
        let options: HTTPOptions
        let keys: KeyStore
        let initializations: InitializationLoader
    }

    /// How the load under way goes. After `came` and `broke` there is none.
    enum Report {
        /// Its segment stands in the feed.
        case began
        /// So many bytes more.
        case progressed(Int64)
        case partCame(HTTPMetrics)
        /// One try failed: `retry` or `drop` is the answer.
        case failed(HTTPError, LoadProgress)
        /// What is odd about the server's answers, which are used all the same.
        case noted(URL, String)
        case came(StreamSegment, LoadProgress)
        case broke(AVError)
    }

    private let feed: SegmentFeed
    private let means: Means
    private let report: (Report, SegmentOrder) -> Void
    private var order: SegmentOrder?
    /// Nil while the key has not come.
    private(set) var fetch: SegmentFetch?

    /// - Parameter report: may come before `load` has returned.
    init(feed: SegmentFeed, means: Means, report: @escaping (Report, SegmentOrder) -> Void) {
        self.feed = feed
        self.means = means
        self.report = report
    }

    // MARK: what it is told

    func load(_ order: SegmentOrder) {
        self.order = order
        let place = order.playlist.absoluteString
        switch order.content {
        case .parts(let pieces):
            begin(order, segment(order, "part", place, nil), pieces, isOpen: true, nil)
        case .whole(let media):
            guard let url = media.url(relativeTo: order.base) else {
                return broke(
                    order,
                    AVError(.unsupportedURL, at: media.uri, reason: "the segment's URL in the playlist is not valid"))
            }
            if let map = media.map, map.url(relativeTo: order.base) == nil {
                return broke(
                    order,
                    AVError(
                        .unsupportedURL, at: map.uri,
                        reason: "the initialization section's URL in the playlist is not valid"))
            }
            unlock(order, media) { [weak self] result in
                guard let self, self.order?.load == order.load, self.fetch == nil else { return }
                switch result {
                case .failure(let error): self.broke(order, error)
                case .success(let (decryptor, sampleKey)):
                    let fresh = self.segment(order, url.lastPathComponent, url.absoluteString, sampleKey)
                    self.begin(order, fresh, [.init(url: url, range: media.byteRange)], isOpen: false, decryptor)
                }
            }
        }
    }

    /// Parts that the playlist has meanwhile told of.
    func extend(by pieces: [SegmentFetch.Piece], isLast: Bool) { fetch?.add(pieces, isLast: isLast) }

    func retry(after delay: Int64) { fetch?.retry(after: delay) }

    /// - Parameter state: what whoever reads the segment meets.
    func drop(_ state: SegmentBuffer.State) {
        fetch?.cancel()
        fetch?.segment.buffer.end(state)
        fetch = nil
        order = nil
    }

    // MARK: the bytes

    private func segment(
        _ order: SegmentOrder, _ name: String, _ location: String, _ sampleKey: StreamSegment.SampleKey?
    ) -> StreamSegment {
        let range = order.map?.byteRange.map { "\($0.offset)+\($0.length)" } ?? ""
        return StreamSegment(
            run: .init(
                source: order.playlist.absoluteString, discontinuity: order.discontinuity,
                map: order.map.map { "\($0.uri) \(range)" } ?? ""),
            rung: order.rung, mediaSequence: order.mediaSequence, start: order.start, duration: order.duration,
            discontinuity: order.discontinuity,
            initialization: means.initializations.section(order.map, base: order.base),
            buffer: SegmentBuffer(gate: means.gate), name: name, location: location, sampleKey: sampleKey)
    }

    private func begin(
        _ order: SegmentOrder, _ segment: StreamSegment, _ pieces: [SegmentFetch.Piece], isOpen: Bool,
        _ decryptor: SegmentDecryptor?
    ) {
        let fetch = SegmentFetch(segment, pieces: pieces, isOpen: isOpen, loop: means.loop, options: means.options)
        self.fetch = fetch
        fetch.report = { [weak self, weak fetch] event in
            guard let self, let fetch else { return }
            switch event {
            case .came:
                guard self.fetch === fetch else { return }
                self.fetch = nil
                self.order = nil
                self.report(.came(fetch.segment, fetch.state), order)
            case .broke(let error): if self.fetch === fetch { self.broke(order, error) }
            case .progressed(let bytes): self.report(.progressed(bytes), order)
            case .partCame(let metrics): self.report(.partCame(metrics), order)
            case .noted(let url, let text): self.report(.noted(url, text), order)
            case .failed(let error, let progress): self.report(.failed(error, progress), order)
            }
        }
        feed.append(segment)
        report(.began, order)
        fetch.start(decryptor: decryptor)
    }

    /// Whoever reads the segment meets the error, in its turn.
    private func broke(_ order: SegmentOrder, _ error: AVError) {
        if let fetch {
            fetch.cancel()
            fetch.segment.buffer.end(.failed(error))
        } else {
            let segment = segment(order, "segment", error.location, nil)
            segment.buffer.end(.failed(error))
            feed.append(segment)
        }
        fetch = nil
        self.order = nil
        report(.broke(error), order)
    }

    // MARK: the key

    /// Fetches what the segment's bytes are to be read with.
    private func unlock(
        _ order: SegmentOrder, _ media: MediaSegment,
        _ completion: @escaping (Result<(SegmentDecryptor?, StreamSegment.SampleKey?), AVError>) -> Void
    ) {
        let place = order.playlist.absoluteString
        let need: KeyStore.Need
        do throws(AVError) { need = try KeyStore.usable(media.keys, at: place) } catch {
            return completion(.failure(error))
        }
        switch need {
        case .nothing: completion(.success((nil, nil)))
        case .wholeSegments(let key), .samples(let key):
            guard let url = key.url(relativeTo: order.base) else {
                return completion(
                    .failure(
                        AVError(.unsupportedURL, at: key.uri, reason: "the key's URL in the playlist is not valid")))
            }
            if case .samples = need, media.map == nil {
                return completion(
                    .failure(
                        AVError(
                            .unsupportedKeySystem, at: place,
                            reason: "SAMPLE-AES is supported only in fragmented MP4",
                            suggestion: "Use AES-128, or fragmented MP4")))
            }
            means.keys.key(at: url) { result in
                let iv = key.initializationVector(forMediaSequence: media.mediaSequence)
                completion(
                    result.map { bytes in
                        if case .samples = need { return (nil, StreamSegment.SampleKey(key: bytes, iv: iv)) }
                        return (SegmentDecryptor(key: bytes, iv: iv), nil)
                    })
            }
        }
    }
}
