/// A segment that the loop passes to the feeder: its position in the stream and its bytes.
package final class StreamSegment: Sendable {
    /// An identifier of the container that a segment belongs to. Consecutive segments with equal runs are parts of one
    /// container; a different run requires opening a new one.
    package struct Run: Sendable, Hashable {
        /// The playlist of the variant or of the audio rendition.
        package var source: String
        package var discontinuity: Int
        /// The location of the initialization section, or an empty string if there is none.
        package var map: String
    }

    package let run: Run
    /// The index in `HLSPresentation.variants`, or nil for a resource that no variant plays.
    package let variant: Int?
    package let mediaSequence: Int
    /// The media time of the segment according to the playlist, in nanoseconds.
    package let start: Int64
    /// The duration according to the playlist, in nanoseconds.
    package let duration: Int64
    package let discontinuity: Int
    /// The decrypted initialization section (`EXT-X-MAP`), or nil if there is none.
    package let initialization: SegmentBuffer?
    package let buffer: SegmentBuffer
    /// The last path component of the resource. It helps libavformat to recognize the format if the bytes alone are
    /// ambiguous.
    package let name: String
    /// The URL of the resource, for errors.
    package let location: String
    /// The key with which libavformat decrypts the samples (SAMPLE-AES with an identity key), or nil.
    package let sampleKey: SampleKey?

    package struct SampleKey: Sendable, Hashable {
        package var key: [UInt8]
        package var iv: [UInt8]
    }

    package var end: Int64 { start + duration }

    init(
        run: Run, variant: Int?, mediaSequence: Int, start: Int64, duration: Int64, discontinuity: Int,
        initialization: SegmentBuffer?, buffer: SegmentBuffer, name: String, location: String? = nil,
        sampleKey: SampleKey?
    ) {
        self.run = run
        self.variant = variant
        self.mediaSequence = mediaSequence
        self.start = start
        self.duration = duration
        self.discontinuity = discontinuity
        self.initialization = initialization
        self.buffer = buffer
        self.name = name
        self.location = location ?? name
        self.sampleKey = sampleKey
    }
}
