import CFFmpeg

/// The owner of an object that an FFmpeg library allocated. The object is freed at the end of the owner's lifetime.
///
/// There is exactly one owner, because an `Owned` can't be copied. `release()` passes the object to a function that
/// frees it.
package struct Owned<Object: FFmpegObject>: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer. An owner can move to another thread. Owners that several threads share are
    // constants of immutable objects (`MediaPacket`, `VideoFrame`, `CodecParameters`), which no thread writes to.
    /// The pointer, with a concrete type. Swift 6.3.1 does not run the `deinit` in other modules if the types of all
    /// fields depend on `Object`.
    private let pointer: UnsafeMutableRawPointer
    private var isReleased = false

    package var raw: Object.Handle { unsafeBitCast(pointer, to: Object.Handle.self) }

    /// Creates an owner, or nil for a nil pointer.
    /// - Parameter raw: The result of the library's allocating function, which is nil when out of memory.
    package init?(_ raw: Object.Handle?) {
        guard let raw else { return nil }
        pointer = unsafeBitCast(raw, to: UnsafeMutableRawPointer.self)
    }

    deinit { if !isReleased { Object.free(raw) } }

    /// Ends the ownership without freeing the object.
    package consuming func release() -> Object.Handle {
        isReleased = true
        return raw
    }
}

/// A type of object that FFmpeg's libraries allocate and free.
package protocol FFmpegObject {
    associatedtype Handle
    static func free(_ handle: Handle)
}

extension AVPacket: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVPacket>) {
        var packet: UnsafeMutablePointer<AVPacket>? = handle
        av_packet_free(&packet)
    }
}

extension AVFrame: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVFrame>) {
        var frame: UnsafeMutablePointer<AVFrame>? = handle
        av_frame_free(&frame)
    }
}

extension AVCodecContext: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVCodecContext>) {
        var context: UnsafeMutablePointer<AVCodecContext>? = handle
        avcodec_free_context(&context)
    }
}

extension AVCodecParameters: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVCodecParameters>) {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = handle
        avcodec_parameters_free(&parameters)
    }
}

extension AVBufferRef: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVBufferRef>) {
        var buffer: UnsafeMutablePointer<AVBufferRef>? = handle
        av_buffer_unref(&buffer)
    }
}

/// A container that is being read. If its input is a custom one (`pb`), it needs `AVFMT_FLAG_CUSTOM_IO`. Otherwise
/// closing the container would also close the input.
extension AVFormatContext: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVFormatContext>) {
        var context: UnsafeMutablePointer<AVFormatContext>? = handle
        avformat_close_input(&context)
    }
}

/// An input or output with callbacks, from `avio_alloc_context`.
extension AVIOContext: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVIOContext>) {
        // libavformat may have replaced the buffer.
        av_freep(&handle.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = handle
        avio_context_free(&context)
    }
}

/// A file that `avio_open` has opened.
package enum OpenedFile: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVIOContext>) { avio_close(handle) }

    /// Opens a file for reading, or returns nil if that fails.
    /// - Parameter name: A URL or path, null-terminated.
    package static func read(_ name: [CChar]) -> Owned<OpenedFile>? {
        var io: UnsafeMutablePointer<AVIOContext>?
        guard avio_open(&io, name, AVIO_FLAG_READ) >= 0 else { return nil }
        return Owned(io)
    }
}

/// The context of a muxer, from `avformat_alloc_output_context2`.
package enum OutputContainer: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVFormatContext>) { avformat_free_context(handle) }
}

/// A context of libswscale.
package enum SwsScaler: FFmpegObject {
    package static func free(_ handle: OpaquePointer) { sws_freeContext(handle) }
}

/// A context of libswresample.
package enum SwrResampler: FFmpegObject {
    package static func free(_ handle: OpaquePointer) {
        var context: OpaquePointer? = handle
        swr_free(&context)
    }
}

/// A dictionary of options (`AVDictionary`).
package struct CodecOptions: ~Copyable {
    package var raw: OpaquePointer?

    package init() {}
    deinit {
        var raw = raw
        av_dict_free(&raw)
    }

    package mutating func set(_ name: String, _ value: String) { av_dict_set(&raw, name, value, 0) }
}
