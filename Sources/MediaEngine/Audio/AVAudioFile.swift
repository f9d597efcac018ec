import CFFmpeg
import Foundation
import MediaCore

/// A file whose audio is read as samples, for waveforms and measurements. The equivalent of AVFAudio's `AVAudioFile`.
///
/// ```swift
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "rain.mp3"))
/// guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096) else { return }
/// while file.framePosition < file.length {
///     try file.read(into: buffer)
///     print(buffer.frameLength)
/// }
/// ```
/// Every audio track that `AVPlayer` plays can be read, also that of a video. Frame 0 is the first frame of the track.
/// More than 8 channels are mixed to stereo. Writing is not available; `AVAssetExportSession` writes audio files.
///
/// A file is used by one thread at a time. The initializers and `read` block that thread, so call them in the
/// background. Besides the buffer, only the samples of a few packets are in memory.
public final class AVAudioFile {
    /// The URL of the file.
    public let url: URL
    /// The format of the audio in the file. `commonFormat` is `otherFormat` for compressed audio, and for samples of a
    /// type that `AVAudioCommonFormat` does not list.
    public let fileFormat: AVAudioFormat
    /// The format of the samples that `read` returns: 32-bit floating-point samples at the file's sample rate.
    public let processingFormat: AVAudioFormat
    private let reader: AudioFileReader
    private var position: AVAudioFramePosition = 0

    /// Opens a file for reading. Samples are not interleaved.
    ///
    /// - Throws: The reason why the file can't be read: it is missing, it contains no audio, or no decoder for it is
    ///   installed. `.operationNotSupported` if `fileURL` is not a file URL.
    public convenience init(forReading fileURL: URL) throws(AVError) {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }
    /// Opens a file for reading, with a format for its samples.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of the file.
    ///   - format: The type of the samples, which must be `pcmFormatFloat32`.
    ///   - interleaved: Whether the samples of a frame follow one another.
    /// - Throws: The reason why the file can't be read. `.operationNotSupported` if `fileURL` is not a file URL, and
    ///   for another type of samples.
    public init(
        forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
    ) throws(AVError) {
        guard fileURL.isFileURL else {
            throw AVError(
                .operationNotSupported, at: fileURL.location, reason: "an audio file must be on this computer",
                suggestion: "Download the file first")
        }
        guard format == .pcmFormatFloat32 else {
            throw AVError(
                .operationNotSupported, at: fileURL.location,
                reason: "samples can be read only as 32-bit floating-point numbers",
                suggestion: "Use pcmFormatFloat32 and convert the samples")
        }
        url = fileURL
        reader = try AudioFileReader(fileURL)
        let parameters = reader.track.parameters.raw.pointee
        fileFormat = AVAudioFormat(
            known: AVAudioFile.commonFormat(parameters.codec_id), Double(reader.track.sampleRate),
            Int(parameters.ch_layout.nb_channels), isInterleaved: true)
        processingFormat = AVAudioFormat(
            known: format, Double(reader.format.sampleRate), reader.format.channelCount, isInterleaved: interleaved)
    }

    private static func commonFormat(_ codec: AVCodecID) -> AVAudioCommonFormat {
        switch codec {
        case AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F32BE: .pcmFormatFloat32
        case AV_CODEC_ID_PCM_F64LE, AV_CODEC_ID_PCM_F64BE: .pcmFormatFloat64
        case AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE: .pcmFormatInt16
        case AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_S32BE: .pcmFormatInt32
        default: .otherFormat
        }
    }

    /// The number of sample frames in the file.
    ///
    /// Opening a file whose header states no exact number, such as MP3, reads all packets once to count the frames. If
    /// the container states only its own duration, as Matroska does, the number is an estimate until the end has been
    /// read.
    public var length: AVAudioFramePosition { reader.length }

    /// The position of the next frame to read. Values are clamped to 0 … `length`. After a change, the next `read`
    /// seeks and reports any error.
    ///
    /// If the container's timestamps are in milliseconds, as in Matroska, seeks are exact to a millisecond.
    public var framePosition: AVAudioFramePosition {
        get { position }
        set { position = min(max(newValue, 0), length) }
    }

    /// Reads frames from `framePosition` on, until the buffer is full, the file ends, or a part cannot be read. Blocks.
    ///
    /// Sets the buffer's `frameLength` to the number of frames, which is 0 at the end of the file.
    /// - Parameter buffer: A buffer with the format `processingFormat`. Its contents are replaced.
    /// - Throws: The reason why nothing could be read. `.invalidArgument` for a buffer with another format.
    ///   `.fileTruncated` at the end of a file that is cut off.
    public func read(into buffer: AVAudioPCMBuffer) throws(AVError) {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }
    /// Reads at most `frames` frames from `framePosition` on. Blocks.
    ///
    /// Sets the buffer's `frameLength` to the number of frames, which is 0 at the end of the file.
    /// - Parameters:
    ///   - buffer: A buffer with the format `processingFormat`. Its contents are replaced.
    ///   - frames: The maximum number of frames, clamped to the buffer's capacity.
    /// - Throws: The same errors as `read(into:)`.
    public func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws(AVError) {
        guard buffer.format == processingFormat else {
            throw AVError(
                .invalidArgument, at: url.location, reason: "the buffer has another format than the file",
                suggestion: "Create the buffer with processingFormat")
        }
        buffer.frameLength = 0
        let count = Int(min(frames, buffer.frameCapacity))
        let read = try reader.read(at: position, count: count) { samples, start in buffer.write(samples, at: start) }
        buffer.frameLength = AVAudioFrameCount(read)
        position += AVAudioFramePosition(read)
    }
}
