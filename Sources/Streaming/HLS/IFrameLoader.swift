import Foundation
import MediaCore

/// A loader for single frames of an I-frame playlist (RFC 8216 §4.3.3.6, §4.3.4.3). It loads only the bytes of each
/// frame.
///
/// The playlist, keys and initialization sections are loaded once and kept, as are the last few frames. Any thread may
/// request frames; all decisions happen on the network loop.
@NetworkActor
package final class IFrameLoader {
    private nonisolated let loop: any NetworkLoop
    private let options: HTTPOptions
    private let variables: [String: String]
    private nonisolated let location: String
    private let keys: KeyStore
    /// The redundant playlists, in reverse order: the next one to try is last.
    private var playlists: [URL]
    private var timed: TimedPlaylist?
    /// The requests that wait for the playlist. They share one load.
    private var waiting: [Completion<TimedPlaylist>] = []
    private var loads: [Int: SmallLoad] = [:]
    private var nextLoad = 0
    private var heads: [String: [UInt8]] = [:]
    private var recent: [(start: Int64, frame: IFrame)] = []
    private static let kept = 16

    /// Creates a loader.
    /// - Parameters:
    ///   - source: A variant of `HLSPresentation.iFrames`.
    ///   - variables: The variables that its playlist may import.
    package nonisolated init(
        _ source: HLSPresentation.VariantSource, variables: [String: String], options: HTTPOptions,
        loop: any NetworkLoop = HTTPClient.shared
    ) {
        self.loop = loop
        self.options = options
        self.variables = variables
        playlists = source.playlists.reversed()
        location = source.playlists.first?.absoluteString ?? ""
        keys = KeyStore(loop: loop, options: options, retry: .opening, log: { _ in })
    }

    /// Loads the frame nearest to `time`, and waits for it.
    ///
    /// The result is nil if no frame begins in the range, or if the stream is live: the positions of frames in a moving
    /// playlist are not known.
    /// - Parameters:
    ///   - time: The media time, in nanoseconds.
    ///   - allowed: The range in which the frame must begin, in nanoseconds.
    ///   - isInterrupted: Returns whether to stop waiting.
    /// - Throws: The failure of the playlist, a key or the bytes, or an error with the code `.cancelled` if
    ///   interrupted.
    package nonisolated func picture(
        nearest time: Int64, in allowed: ClosedRange<Int64>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> IFrame? {
        let gate = StreamGate(isInterrupted: isInterrupted)
        let answer = GateAnswer<Result<IFrame?, AVError>>(gate)
        loop.perform { self.find(time, allowed, gate) { answer.give($0) } }
        guard let result = answer.wait() else {
            throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
        }
        return try result.get()
    }

    private typealias Completion<T> = @NetworkActor (Result<T, AVError>) -> Void

    // MARK: on the loop

    private func find(
        _ time: Int64, _ allowed: ClosedRange<Int64>, _ gate: StreamGate, _ completion: @escaping Completion<IFrame?>
    ) {
        playlist { result in
            let target: IFrameLocation?
            switch result {
            case .failure(let error): return completion(.failure(error))
            case .success(let timed):
                let bounded = min(max(time, timed.epoch), max(timed.epoch, timed.end))
                target = timed.playlist.isLive ? nil : IFrameLocation(nearest: bounded, in: allowed, of: timed)
            }
            guard let target else { return completion(.success(nil)) }
            if let known = self.recent.first(where: { $0.start == target.start }) {
                return completion(.success(known.frame))
            }
            self.fetch(target, gate) { result in
                if case .success(let frame) = result {
                    self.recent.append((target.start, frame))
                    if self.recent.count > IFrameLoader.kept { self.recent.removeFirst() }
                }
                completion(result.map { $0 })
            }
        }
    }

    private func playlist(_ completion: @escaping Completion<TimedPlaylist>) {
        if let timed { return completion(.success(timed)) }
        waiting.append(completion)
        if waiting.count == 1 { loadPlaylist() }
    }

    /// Loads the playlist, or a redundant one if that fails, for all waiting requests.
    private func loadPlaylist() {
        guard let url = playlists.last else {
            return loaded(
                .failure(AVError(.unsupportedURL, at: location, reason: "the I-frame playlist's URL is not valid")))
        }
        load(HTTPRequest(url: url, options: options, limit: 32 << 20, acceptsCompression: true)) { result in
            do throws(AVError) {
                let (bytes, response) = try result.mapError(\.avError).get()
                let timed = try self.parse(bytes, response.url)
                self.timed = timed
                self.loaded(.success(timed))
            } catch {
                guard self.playlists.count > 1 else { return self.loaded(.failure(error)) }
                self.playlists.removeLast()
                self.loadPlaylist()
            }
        }
    }

    private func loaded(_ result: Result<TimedPlaylist, AVError>) {
        for completion in exchange(&waiting, []) { completion(result) }
    }

    private func parse(_ bytes: [UInt8], _ url: URL) throws(AVError) -> TimedPlaylist {
        do throws(PlaylistError) {
            guard case .media(let playlist) = try Playlist.parse(bytes, url: url, importing: variables) else {
                throw PlaylistError(
                    url: url, line: 1, reason: "the file is a multivariant playlist, but a media playlist is required")
            }
            return TimedPlaylist(playlist, epoch: 0)
        } catch {
            throw error.avError
        }
    }

    private func fetch(_ target: IFrameLocation, _ gate: StreamGate, _ completion: @escaping Completion<IFrame>) {
        key(target.segment.keys, target.segment.mediaSequence) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let key):
                self.head(target, key) { result in
                    switch result {
                    case .failure(let error): completion(.failure(error))
                    case .success(let head):
                        self.bytes(target.url, target.range, key) { result in
                            completion(result.map { self.frame(target, head: head, bytes: $0, gate) })
                        }
                    }
                }
            }
        }
    }

    private func frame(_ target: IFrameLocation, head: [UInt8], bytes: [UInt8], _ gate: StreamGate) -> IFrame {
        let url = target.url.absoluteString
        let segment = StreamSegment(
            run: .init(source: url, discontinuity: target.segment.discontinuitySequence, map: ""), variant: nil,
            mediaSequence: target.segment.mediaSequence, start: target.start, duration: target.duration,
            discontinuity: target.segment.discontinuitySequence,
            initialization: head.isEmpty ? nil : SegmentBuffer(whole: head, gate: gate),
            buffer: SegmentBuffer(whole: bytes, gate: gate),
            name: target.url.lastPathComponent, location: url, sampleKey: nil)
        return IFrame(segment, gate: gate)
    }

    // MARK: keys and initialization sections

    private struct Secret {
        var key: [UInt8]
        /// The initialization vector of the resource's first block.
        var iv: [UInt8]
    }

    private func key(_ all: [EncryptionKey], _ sequence: Int, _ completion: @escaping Completion<Secret?>) {
        do throws(AVError) {
            switch try KeyStore.usable(all, at: location) {
            case .nothing: completion(.success(nil))
            case .samples:
                completion(
                    .failure(
                        AVError(
                            .operationNotSupported, at: location,
                            reason: "single frames of a SAMPLE-AES stream can't be decrypted")))
            case .wholeSegments(let key):
                guard let base = timed?.playlist.url, let url = key.url(relativeTo: base) else {
                    return completion(
                        .failure(
                            AVError(.unsupportedURL, at: key.uri, reason: "the key's URL in the playlist is not valid"))
                    )
                }
                let iv = key.initializationVector(forMediaSequence: sequence)
                keys.key(at: url) { completion($0.map { Secret(key: $0, iv: iv) }) }
            }
        } catch {
            completion(.failure(error))
        }
    }

    private func head(_ target: IFrameLocation, _ key: Secret?, _ completion: @escaping Completion<[UInt8]>) {
        switch target.initialization {
        case nil: completion(.success([]))
        case .head(let url, let range): head(url, range, key, completion)
        case .map(let map):
            guard let base = timed?.playlist.url, let url = map.url(relativeTo: base) else {
                return completion(
                    .failure(
                        AVError(
                            .unsupportedURL, at: map.uri,
                            reason: "the initialization section's URL in the playlist is not valid")))
            }
            self.key(map.keys, 0) { result in
                switch result {
                case .failure(let error): completion(.failure(error))
                case .success(let key): self.head(url, map.byteRange, key, completion)
                }
            }
        }
    }

    private func head(_ url: URL, _ range: ByteRange?, _ key: Secret?, _ completion: @escaping Completion<[UInt8]>) {
        let name = "\(url.absoluteString) \(range?.offset ?? -1) \(range?.length ?? -1)"
        if let known = heads[name] { return completion(.success(known)) }
        bytes(url, range, key) { result in
            if case .success(let bytes) = result { self.heads[name] = bytes }
            completion(result)
        }
    }

    // MARK: bytes

    /// Loads and decrypts a part of a resource.
    ///
    /// AES-128 in CBC mode chains blocks of 16 bytes from the start of the resource. The range is therefore extended to
    /// whole blocks, and by the block before them, which is enough to decrypt the first one (8216bis §6.3.6).
    private func bytes(_ url: URL, _ range: ByteRange?, _ key: Secret?, _ completion: @escaping Completion<[UInt8]>) {
        guard let key else { return raw(url, range, completion) }
        guard let range else {
            return raw(url, nil) { result in
                completion(
                    result.flatMap { whole in
                        Self.decrypted(whole, key.key, key.iv, isWhole: true).map { .success($0) }
                            ?? .failure(self.decryptionError(url))
                    })
            }
        }
        let first = range.offset / 16 * 16
        let before: Int64 = first > 0 ? 16 : 0
        let blockRange = ByteRange(offset: first - before, length: (range.end + 15) / 16 * 16 - first + before)
        raw(url, blockRange) { result in
            completion(
                result.flatMap { blocks in
                    let iv = before > 0 ? Array(blocks.prefix(16)) : key.iv
                    guard let clear = Self.decrypted(Array(blocks.dropFirst(Int(before))), key.key, iv, isWhole: false)
                    else {
                        return .failure(self.decryptionError(url))
                    }
                    return .success(
                        Array(clear.dropFirst(Int(range.offset - first)).prefix(Int(clamping: range.length))))
                })
        }
    }

    private func decryptionError(_ url: URL) -> AVError {
        AVError(
            .decodeFailed, at: url.absoluteString,
            reason: "decryption failed: the key is wrong, or the segment is cut off",
            suggestion: "Report the error to the publisher of the stream")
    }

    /// Decrypts AES-128 blocks, or returns nil if that fails.
    /// - Parameter isWhole: Whether the last block ends with padding, as in a whole resource.
    private nonisolated static func decrypted(_ bytes: [UInt8], _ key: [UInt8], _ iv: [UInt8], isWhole: Bool)
        -> [UInt8]?
    {
        guard let decryptor = SegmentDecryptor(key: key, iv: iv), bytes.count % 16 == 0 else { return nil }
        var clear: [UInt8] = []
        // The decryptor holds back the last block, which may contain padding.
        let all = isWhole ? bytes : bytes + [UInt8](repeating: 0, count: 16)
        all.withUnsafeBytes { decryptor.feed($0) { clear.append(contentsOf: $0) } }
        if isWhole, !decryptor.finish(to: { clear.append(contentsOf: $0) }) { return nil }
        return clear
    }

    private func raw(_ url: URL, _ range: ByteRange?, _ completion: @escaping Completion<[UInt8]>) {
        let requestedRange = range.map { (first: $0.offset, last: Optional($0.end - 1)) }
        load(HTTPRequest(url: url, range: requestedRange, options: options, limit: 64 << 20)) { result in
            switch result {
            case .failure(let error): completion(.failure(error.avError))
            case .success(let (bytes, _)):
                guard let range else { return completion(.success(bytes)) }
                guard !bytes.isEmpty else {
                    return completion(
                        .failure(
                            AVError(
                                .networkConnectionLost, at: url.absoluteString,
                                reason: "the file ends before byte \(range.offset), where the playlist places a frame",
                                suggestion: "Report the error to the publisher of the stream")))
                }
                completion(.success(bytes))
            }
        }
    }

    private func load(
        _ request: HTTPRequest,
        _ completion: @escaping @NetworkActor (Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) -> Void
    ) {
        let number = nextLoad
        nextLoad += 1
        loads[number] = SmallLoad(loop: loop, request: request, retry: .opening) { [weak self] result in
            self?.loads[number] = nil
            completion(result)
        }
    }
}
