import Foundation

/// A buffer of uncompressed samples in memory. The equivalent of AVFAudio's `AVAudioPCMBuffer`.
///
/// The samples are floating-point numbers of 32 bits, the type that `AVAudioFile` returns. A buffer is used by one
/// thread at a time.
public final class AVAudioPCMBuffer {
    /// The maximum size of a buffer, in bytes: 4 GiB.
    static let maximumByteCount = 4 << 30

    /// The format of the samples.
    public let format: AVAudioFormat
    /// The maximum number of frames in the buffer.
    public let frameCapacity: AVAudioFrameCount
    /// The number of frames in the buffer that are valid. Values above `frameCapacity` are clamped.
    public var frameLength: AVAudioFrameCount = 0 {
        didSet { if frameLength > frameCapacity { frameLength = frameCapacity } }
    }
    /// The distance between two samples of the same channel, in samples: the number of channels if the format is
    /// interleaved, otherwise 1.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Creates a buffer of silence with the `frameLength` 0.
    ///
    /// The system provides the memory when samples are written to it. Returns nil if the samples of `format` are not
    /// `pcmFormatFloat32`, if the buffer would be larger than 4 GiB, or if there is not enough memory.
    /// - Parameters:
    ///   - format: The format of the samples, such as `AVAudioFile.processingFormat`.
    ///   - frameCapacity: The maximum number of frames.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let (count, capacity) = (Int(format.channelCount), Int(frameCapacity))
        let (bytes, isTooLarge) = (capacity * MemoryLayout<Float>.stride).multipliedReportingOverflow(by: count)
        // Unlike an allocation by Swift, `calloc` can fail, and it uses no memory before samples are written.
        guard format.commonFormat == .pcmFormatFloat32, count > 0, !isTooLarge,
            bytes <= AVAudioPCMBuffer.maximumByteCount,
            let memory = calloc(max(1, capacity * count), MemoryLayout<Float>.stride)
        else { return nil }
        self.format = format
        self.frameCapacity = frameCapacity
        samples = memory.bindMemory(to: Float.self, capacity: max(1, capacity * count))
        channels = .allocate(capacity: count)
        for channel in 0..<count {
            (channels + channel).initialize(to: samples + (format.isInterleaved ? channel : channel * capacity))
        }
    }

    deinit {
        channels.deallocate()
        free(samples)
    }

    /// The samples of each channel; never nil. They are valid as long as the buffer exists.
    ///
    /// The first sample of a channel is at index 0, the next one at `stride`.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { UnsafePointer(channels) }

    /// Writes interleaved samples into the buffer, which is at least as large.
    /// - Parameter start: The index of the first frame to write.
    func write(_ interleaved: UnsafeBufferPointer<Float>, at start: Int) {
        let count = Int(format.channelCount)
        guard let source = interleaved.baseAddress else { return }
        if format.isInterleaved || count == 1 {
            (samples + start * count).update(from: source, count: interleaved.count)
        } else {
            for channel in 0..<count {
                let target = channels[channel] + start
                for frame in 0..<interleaved.count / count { target[frame] = source[frame * count + channel] }
            }
        }
    }
}
