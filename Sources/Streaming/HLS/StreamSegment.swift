import Foundation
import MediaCore

/// One segment on its way from the loop to the feeder: where it belongs and its bytes.
package final class StreamSegment: Sendable {
    /// Identifies what must be opened anew: segments with equal runs follow each other in one container.
    package struct Run: Sendable, Hashable {
        /// Which playlist: the rung, or the rendition of the sound.
        package var source: String
        package var discontinuity: Int
        /// The initialization section's place; empty without one.
        package var map: String
    }

    package let run: Run
    package let rung: Int?
    package let mediaSequence: Int
    /// Media time by the playlist, nanoseconds.
    package let start: Int64
    package let duration: Int64
    package let discontinuity: Int
    /// The initialization section (`EXT-X-MAP`), decrypted; empty without one.
    package let initialization: SegmentBuffer?
    package let buffer: SegmentBuffer
    /// Named so that libavformat need not guess where the bytes alone are poor: the resource's last path component.
    package let name: String
    /// Where it comes from, for errors.
    package let location: String
    /// Its samples are encrypted (SAMPLE-AES with an identity key): the 16-byte key for libavformat.
    package let sampleKey: SampleKey?

    package struct SampleKey: Sendable, Hashable {
        package var key: [UInt8]
        package var iv: [UInt8]
    }

    package var end: Int64 { start + duration }

    init(
        run: Run, rung: Int?, mediaSequence: Int, start: Int64, duration: Int64, discontinuity: Int,
        initialization: SegmentBuffer?, buffer: SegmentBuffer, name: String, location: String? = nil,
        sampleKey: SampleKey?
    ) {
        self.run = run
        self.rung = rung
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
