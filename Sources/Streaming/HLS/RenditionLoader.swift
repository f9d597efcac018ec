import Foundation
import MediaCore

/// A loader for the segments of one role, one at a time. It loads the key and then the bytes, and puts decrypted bytes
/// into the feed. It makes no decisions: it reports to its owner and carries out the answers.
@NetworkActor
final class RenditionLoader {
    /// The loaders and settings that the roles of a stream share.
    struct LoadContext {
        let loop: any NetworkLoop
        let gate: StreamGate
        let options: HTTPOptions
        let keys: KeyStore
        let initializations: InitializationLoader
    }

    /// An event of the current load. After `didLoad` and `loadFailed`, the load is over.
    enum Report {
        /// The segment has been added to the feed.
        case began
        /// More bytes have arrived: the number since the last report.
        case progressed(Int64)
        case didLoadPart(HTTPMetrics)
        /// A try has failed. The owner answers with `retry` or `drop`.
        case tryFailed(HTTPError, LoadProgress)
        /// An irregularity in the server's response, which is used nevertheless.
        case noted(URL, String)
        case didLoad(StreamSegment, LoadProgress)
        case loadFailed(AVError)
    }

    private let feed: SegmentFeed
    private let context: LoadContext
    private let report: (Report, SegmentOrder) -> Void
    private var order: SegmentOrder?
    /// The fetch of the segment's bytes, or nil if there is none or the key has not arrived.
    private(set) var fetch: SegmentFetch?

    /// Creates a loader.
    /// - Parameter report: Called with each event, possibly before `load` has returned.
    init(feed: SegmentFeed, context: LoadContext, report: @escaping (Report, SegmentOrder) -> Void) {
        self.feed = feed
        self.context = context
        self.report = report
    }

    // MARK: commands

    func load(_ order: SegmentOrder) {
        self.order = order
        let location = order.playlist.absoluteString
        switch order.content {
        case .parts(let pieces):
            begin(order, segment(order, "part", location, nil), pieces, isOpen: true, nil)
        case .whole(let media):
            guard let url = media.url(relativeTo: order.base) else {
                return loadFailed(
                    order,
                    AVError(.unsupportedURL, at: media.uri, reason: "the segment's URL in the playlist is not valid"))
            }
            if let map = media.map, map.url(relativeTo: order.base) == nil {
                return loadFailed(
                    order,
                    AVError(
                        .unsupportedURL, at: map.uri,
                        reason: "the initialization section's URL in the playlist is not valid"))
            }
            unlock(order, media) { [weak self] result in
                guard let self, self.order?.load == order.load, self.fetch == nil else { return }
                switch result {
                case .failure(let error): self.loadFailed(order, error)
                case .success(let (decryptor, sampleKey)):
                    let fresh = self.segment(order, url.lastPathComponent, url.absoluteString, sampleKey)
                    self.begin(order, fresh, [.init(url: url, range: media.byteRange)], isOpen: false, decryptor)
                }
            }
        }
    }

    /// Adds parts that have since appeared in the playlist.
    func extend(by pieces: [SegmentFetch.Piece], isLast: Bool) { fetch?.add(pieces, isLast: isLast) }

    func retry(after delay: Int64) { fetch?.retry(after: delay) }

    /// Drops the current load.
    /// - Parameter state: The final state of the segment, which its reader receives.
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
            variant: order.variant, mediaSequence: order.mediaSequence, start: order.start, duration: order.duration,
            discontinuity: order.discontinuity,
            initialization: context.initializations.section(order.map, base: order.base),
            buffer: SegmentBuffer(gate: context.gate), name: name, location: location, sampleKey: sampleKey)
    }

    private func begin(
        _ order: SegmentOrder, _ segment: StreamSegment, _ pieces: [SegmentFetch.Piece], isOpen: Bool,
        _ decryptor: SegmentDecryptor?
    ) {
        let fetch = SegmentFetch(segment, pieces: pieces, isOpen: isOpen, loop: context.loop, options: context.options)
        self.fetch = fetch
        fetch.report = { [weak self, weak fetch] event in
            guard let self, let fetch else { return }
            switch event {
            case .didLoad:
                guard self.fetch === fetch else { return }
                self.fetch = nil
                self.order = nil
                self.report(.didLoad(fetch.segment, fetch.state), order)
            case .loadFailed(let error): if self.fetch === fetch { self.loadFailed(order, error) }
            case .progressed(let bytes): self.report(.progressed(bytes), order)
            case .didLoadPart(let metrics): self.report(.didLoadPart(metrics), order)
            case .noted(let url, let text): self.report(.noted(url, text), order)
            case .tryFailed(let error, let progress): self.report(.tryFailed(error, progress), order)
            }
        }
        feed.append(segment)
        report(.began, order)
        fetch.start(decryptor: decryptor)
    }

    /// Ends the load with an error, which the segment's reader receives.
    private func loadFailed(_ order: SegmentOrder, _ error: AVError) {
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
        report(.loadFailed(error), order)
    }

    // MARK: the key

    /// Loads the key with which the segment's bytes or samples are decrypted.
    private func unlock(
        _ order: SegmentOrder, _ media: MediaSegment,
        _ completion: @escaping (Result<(SegmentDecryptor?, StreamSegment.SampleKey?), AVError>) -> Void
    ) {
        let location = order.playlist.absoluteString
        let need: KeyStore.Need
        do throws(AVError) { need = try KeyStore.usable(media.keys, at: location) } catch {
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
                            .unsupportedKeySystem, at: location,
                            reason: "SAMPLE-AES is supported only in fragmented MP4",
                            suggestion: "Use AES-128, or fragmented MP4")))
            }
            context.keys.key(at: url) { result in
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
