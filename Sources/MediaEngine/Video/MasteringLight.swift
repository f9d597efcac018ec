import CFFmpeg

/// The brightness metadata of a stream (SMPTE ST 2086, CTA-861.3).
package enum MasteringLight {
    /// Returns the peak brightness of the frame in cd/m²: that of its content (MaxCLL), otherwise that of the mastering
    /// display, otherwise a common value.
    static func peak(_ frame: UnsafePointer<AVFrame>) -> Double {
        var mastering: AVMasteringDisplayMetadata?
        var content: AVContentLightMetadata?
        if let data = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)?.pointee.data {
            mastering = UnsafeRawPointer(data).loadUnaligned(as: AVMasteringDisplayMetadata.self)
        }
        if let data = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)?.pointee.data {
            content = UnsafeRawPointer(data).loadUnaligned(as: AVContentLightMetadata.self)
        }
        if let content, content.MaxCLL > 0 { return Double(content.MaxCLL) }
        if let mastering, mastering.has_luminance != 0, mastering.max_luminance.num > 0, mastering.max_luminance.den > 0
        {
            return av_q2d(mastering.max_luminance)
        }
        return ToneMap.commonPeak
    }

    /// Adds the container's metadata to `frame` if the frame has none. VP9 stores it only in the container.
    static func complete(_ frame: UnsafeMutablePointer<AVFrame>, from stream: StreamLight) {
        if let metadata = stream.mastering,
            av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA) == nil
        {
            av_mastering_display_metadata_create_side_data(frame)?.pointee = metadata
        }
        if let metadata = stream.content, av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL) == nil {
            av_content_light_metadata_create_side_data(frame)?.pointee = metadata
        }
    }
}

/// The brightness metadata of a stream in its container.
struct StreamLight: Sendable {
    let mastering: AVMasteringDisplayMetadata?
    let content: AVContentLightMetadata?

    /// Reads the metadata. Returns `nil` if the container has none.
    init?(_ stream: UnsafePointer<AVStream>) {
        mastering = zt_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
            .map { UnsafeRawPointer($0).loadUnaligned(as: AVMasteringDisplayMetadata.self) }
        content = zt_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
            .map { UnsafeRawPointer($0).loadUnaligned(as: AVContentLightMetadata.self) }
        if mastering == nil, content == nil { return nil }
    }
}
