import MediaCore

/// The audio that an `OfflineReader` returns: nothing, packets, or the samples of a decoder, which is replaced when the
/// coding of the track changes.
struct OfflineAudio {
    private enum Mode {
        case none, packets
        case samples(AudioFormat)
    }
    private var mode = Mode.none
    private var decoder: AudioDecoder?
    /// Whether an earlier decoder has decoded something.
    private var hasDecoded = false
    private let location: String
    private let startOffset: MediaTime

    /// Creates audio of which nothing is returned.
    ///
    /// - Parameters:
    ///   - location: The source, for errors.
    ///   - startOffset: See `PacketReader.startOffset`.
    init(location: String, startOffset: MediaTime) {
        self.location = location
        self.startOffset = startOffset
    }

    var returnsPackets: Bool { if case .packets = mode { true } else { false } }

    /// Returns packets as they are in the container.
    mutating func returnPackets() { mode = .packets }

    /// Returns decoded samples.
    ///
    /// - Parameter track: The track that is read; `nil` if there is none.
    /// - Throws: The reason why the decoder cannot be opened.
    mutating func returnSamples(of track: AudioTrackDescription?, as format: AudioFormat) throws(AVError) {
        mode = .samples(format)
        if let track { decoder = try open(track, format) }
    }

    private func open(_ track: AudioTrackDescription, _ format: AudioFormat) throws(AVError) -> AudioDecoder {
        try AudioDecoder(track: track, format: format, startOffset: startOffset, location: location)
    }

    /// Prepares for packets of `track` at another position.
    mutating func seek(in track: AudioTrackDescription) throws(AVError) {
        if try !replaceDecoder(for: track) { decoder?.flush() }
    }

    /// Prepares for packets of `track` that follow those of another track. The previous decoder first delivers what it
    /// holds.
    mutating func change(to track: AudioTrackDescription, _ deliver: ([Float], MediaTime?) -> Void) throws(AVError) {
        if let decoder, !decoder.track.parameters.codes(sameAs: track.parameters) { decode(nil, deliver) }
        _ = try replaceDecoder(for: track)
    }

    /// Replaces the decoder if it does not decode the packets of `track`.
    ///
    /// - Returns: `false` if the decoder stays, or if no samples are requested.
    private mutating func replaceDecoder(for track: AudioTrackDescription) throws(AVError) -> Bool {
        guard case .samples(let format) = mode,
            decoder.map({ !$0.track.parameters.codes(sameAs: track.parameters) }) ?? true
        else { return false }
        hasDecoded = hasDecoded || (decoder?.decodedFrames ?? 0) > 0
        decoder = try open(track, format)
        return true
    }

    /// Decodes `packet`; `nil` drains the decoder. Nothing is delivered if no samples are requested.
    ///
    /// - Parameter deliver: See `OfflineReader.Step.sound`.
    func decode(_ packet: MediaPacket?, _ deliver: ([Float], MediaTime?) -> Void) {
        guard let decoder else { return }
        let channels = decoder.format.channelCount
        decoder.decode(packet) { samples, frames, time in
            deliver(Array(UnsafeBufferPointer(start: samples, count: frames * channels)), time)
        }
    }

    /// Checks that the audio that was read could be decoded, at least in part.
    ///
    /// - Throws: `.decodeFailed` if every packet is damaged.
    func requireDecoded() throws(AVError) {
        if !hasDecoded, let error = decoder?.failure(at: location) { throw error }
    }
}
