import Foundation
import MediaCore

/// A loader for the initialization sections of a stream (`EXT-X-MAP`). Each section is loaded once.
@NetworkActor
final class InitializationLoader {
    private let loop: any NetworkLoop
    private let gate: StreamGate
    private let options: HTTPOptions
    private let keys: KeyStore
    private let retry: () -> RetryPolicy
    private let log: (HTTPError) -> Void
    private var known: [String: (buffer: SegmentBuffer, fetch: SegmentFetch)] = [:]

    /// Creates a loader.
    /// - Parameters:
    ///   - retry: Returns the retry policy. Called after each failure.
    ///   - log: Called with every failure, including those that are retried.
    init(
        loop: any NetworkLoop, gate: StreamGate, options: HTTPOptions, keys: KeyStore,
        retry: @escaping () -> RetryPolicy, log: @escaping (HTTPError) -> Void
    ) {
        self.loop = loop
        self.gate = gate
        self.options = options
        self.keys = keys
        self.retry = retry
        self.log = log
    }

    /// Returns the buffer of a section, which may still be loading, or nil if there is no section. A section that has
    /// failed is requested again.
    func section(_ map: InitializationSection?, base: URL) -> SegmentBuffer? {
        guard let map, let url = map.url(relativeTo: base) else { return nil }
        let name = "\(url.absoluteString) \(map.byteRange?.offset ?? -1) \(map.byteRange?.length ?? -1)"
        if let known = known[name], !Self.hasFailed(known.buffer) { return known.buffer }
        let buffer = SegmentBuffer(gate: gate)
        let carrier = StreamSegment(
            run: .init(source: name, discontinuity: 0, map: ""), variant: nil, mediaSequence: 0, start: 0, duration: 0,
            discontinuity: 0, initialization: nil, buffer: buffer, name: url.lastPathComponent,
            location: url.absoluteString, sampleKey: nil)
        let fetch = SegmentFetch(carrier, pieces: [.init(url: url, range: map.byteRange)], loop: loop, options: options)
        known[name] = (buffer, fetch)
        fetch.report = { [weak self, weak fetch] event in
            guard case .tryFailed(let error, let progress) = event, let self, let fetch else { return }
            self.log(error)
            let delay = progress.retry.delay(
                after: error, self.retry(), at: self.loop.time, random: .random(in: 0...1))
            if error.isTransient, let delay { return fetch.retry(after: delay) }
            buffer.end(.failed(error.avError))
        }
        begin(fetch, map, base)
        return buffer
    }

    /// Starts loading a section. Like a segment, a section may be encrypted as a whole (RFC 8216 §4.3.2.5).
    private func begin(_ fetch: SegmentFetch, _ map: InitializationSection, _ base: URL) {
        guard let key = map.keys.first(where: { $0.method == .aes128 && $0.keyFormat == "identity" }), let iv = key.iv,
            let url = key.url(relativeTo: base)
        else { return fetch.start(decryptor: nil) }
        keys.key(at: url) { [weak fetch] result in
            switch result {
            case .failure(let error): fetch?.segment.buffer.end(.failed(error))
            case .success(let bytes): fetch?.start(decryptor: SegmentDecryptor(key: bytes, iv: iv))
            }
        }
    }

    /// Drops the sections that have not arrived.
    /// - Returns: The dropped buffers.
    func dropUnfinished() -> [SegmentBuffer] {
        var dropped: [SegmentBuffer] = []
        for (name, entry) in known where entry.buffer.currentState == .loading {
            entry.fetch.cancel()
            entry.buffer.end(.replaced)
            known[name] = nil
            dropped.append(entry.buffer)
        }
        return dropped
    }

    /// Forgets all sections, because another stream may have different sections under the same names.
    func forget() {
        for entry in known.values { entry.fetch.cancel() }
        known = [:]
    }

    private static func hasFailed(_ buffer: SegmentBuffer) -> Bool {
        if case .failed = buffer.currentState { true } else { false }
    }
}
