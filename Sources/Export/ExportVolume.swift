import MediaCore
import MediaEngine

/// The volume of the audio that an export encodes, which follows the ramps of an audio mix.
struct ExportVolume {
    private let ramps: VolumeRamps
    private let format: AudioFormat
    /// The number of the next frame, counted from the start of the source.
    private var position: Int64
    private var gain = MixGain()

    /// - Parameter start: The media time of the first frame.
    init(_ ramps: VolumeRamps, from start: MediaTime, _ format: AudioFormat) {
        self.ramps = ramps
        self.format = format
        position = start.samples(at: format.sampleRate)
    }

    /// Multiplies interleaved samples by the volumes at their times. Each call continues where the one before ended.
    mutating func apply(to samples: inout [Float]) {
        let frames = samples.count / format.channelCount
        samples.withUnsafeMutableBufferPointer {
            guard let base = $0.baseAddress else { return }
            gain.apply(
                ramps, to: base, from: position, frames, channels: format.channelCount, rate: format.sampleRate)
        }
        position += Int64(frames)
    }
}
