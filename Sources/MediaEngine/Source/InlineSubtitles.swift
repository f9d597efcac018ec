import CFFmpeg
import MediaCore

/// The subtitle track that is read together with audio and video, because its source is not read twice: a remote file
/// or a pipe.
struct InlineSubtitles {
    /// The item's subtitles, which determine the track; `nil` if no track is read.
    var item: ItemSubtitles?
    /// The track that is read, its store, and its decoder; the decoder is `nil` if none is installed.
    private var current: (stream: Int, store: SubtitleStore, decoder: SubtitleDecoder?)?

    /// Reads the selected subtitle track from the next packet on.
    ///
    /// - Parameters:
    ///   - streams: The streams of the container. Those of subtitles are discarded unless they are selected.
    ///   - startOffset: The offset from the container's zero to media time zero.
    ///   - header: Called for each new track.
    mutating func follow(
        _ streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?>, startOffset: MediaTime,
        header: () -> SubtitleHeader
    ) {
        guard let item else { return }
        let requested = item.inline
        guard requested?.store !== current?.store else { return }
        if let old = current { streams[old.stream]?.pointee.discard = AVDISCARD_ALL }
        current = requested.flatMap { requested in
            guard streams.indices.contains(requested.stream), let stream = streams[requested.stream] else {
                return nil
            }
            stream.pointee.discard = AVDISCARD_DEFAULT
            requested.store.setHeader(header())
            return (
                requested.stream, requested.store,
                SubtitleDecoder(stream: stream, startOffset: startOffset, store: requested.store)
            )
        }
    }

    /// Decodes a packet of the track.
    ///
    /// - Returns: `false` if the packet belongs to another track, or if there is no decoder.
    func decode(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let decoder = current?.decoder, Int(packet.pointee.stream_index) == current?.stream else { return false }
        decoder.decode(packet)
        return true
    }

    /// Records that a packet of audio or video was read.
    func didRead(_ packet: MediaPacket) {
        guard let end = packet.end else { return }
        current?.decoder?.didRead(from: packet.pts ?? end, to: end)
    }

    /// Resets the decoder because reading continues at another position.
    func flush() { current?.decoder?.flush() }
}
