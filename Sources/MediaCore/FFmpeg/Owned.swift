import CFFmpeg

/// The owner of one object that an FFmpeg library allocated. The object is freed when its owner's lifetime ends.
///
/// There is exactly one owner, because it can't be copied. `release()` hands the object to a function that frees it.
package struct Owned<Object: FFmpegObject>: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer: an owner can move to another thread. Owners that several threads reach are
    // constants of immutable objects (`MediaPacket`, `VideoFrame`, `CodecParameters`), which nobody writes to.
    /// Of a concrete type: Swift 6.3.1 does not run the `deinit` in other modules when all fields have types that depend
    /// on `Object`.
    private let address: UnsafeMutableRawPointer
    private var isReleased = false

    package var raw: Object.Handle { unsafeBitCast(address, to: Object.Handle.self) }

    /// - Parameter raw: What the library's allocating function returned. Nil when out of memory.
    package init?(_ raw: Object.Handle?) {
        guard let raw else { return nil }
        address = unsafeBitCast(raw, to: UnsafeMutableRawPointer.self)
    }

    deinit { if !isReleased { Object.free(raw) } }

    /// Ends the ownership without freeing the object.
    package consuming func release() -> Object.Handle {
        isReleased = true
        return raw
    }
}

/// A kind of object that FFmpeg's libraries allocate and free.
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

/// A container that is read. One with input of its own (`pb`) needs `AVFMT_FLAG_CUSTOM_IO`, or closing it would close
/// the input too.
extension AVFormatContext: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVFormatContext>) {
        var context: UnsafeMutablePointer<AVFormatContext>? = handle
        avformat_close_input(&context)
    }
}

/// Input or output that calls back, from `avio_alloc_context`.
extension AVIOContext: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVIOContext>) {
        // libavformat may have replaced the buffer.
        av_freep(&handle.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = handle
        avio_context_free(&context)
    }
}

/// A file that `avio_open` opened.
package enum OpenedFile: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVIOContext>) { avio_close(handle) }

    /// Nil when the file can't be opened.
    /// - Parameter name: A URL or path, null-terminated.
    package static func read(_ name: [CChar]) -> Owned<OpenedFile>? {
        var io: UnsafeMutablePointer<AVIOContext>?
        guard avio_open(&io, name, AVIO_FLAG_READ) >= 0 else { return nil }
        return Owned(io)
    }
}

/// A muxer's context, from `avformat_alloc_output_context2`.
package enum OutputContainer: FFmpegObject {
    package static func free(_ handle: UnsafeMutablePointer<AVFormatContext>) { avformat_free_context(handle) }
}

/// libswscale's context.
package enum SwsScaler: FFmpegObject {
    package static func free(_ handle: OpaquePointer) { sws_freeContext(handle) }
}

/// libswresample's context.
package enum SwrResampler: FFmpegObject {
    package static func free(_ handle: OpaquePointer) {
        var context: OpaquePointer? = handle
        swr_free(&context)
    }
}

/// Options by name.
package struct CodecOptions: ~Copyable {
    package var raw: OpaquePointer?

    package init() {}
    deinit {
        var raw = raw
        av_dict_free(&raw)
    }

    package mutating func set(_ name: String, _ value: String) { av_dict_set(&raw, name, value, 0) }
}
