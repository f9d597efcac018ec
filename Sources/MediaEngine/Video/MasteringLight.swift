import CFFmpeg

/// What a stream tells of how bright its pictures were mastered (SMPTE ST 2086, CTA-861.3).
package enum MasteringLight {
    /// The brightest of the picture, cd/m²: of its content when that is told (MaxCLL), else of the display it was
    /// mastered on, else what is common.
    static func peak(_ picture: UnsafePointer<AVFrame>) -> Double {
        var mastering: AVMasteringDisplayMetadata?
        var content: AVContentLightMetadata?
        if let data = av_frame_get_side_data(picture, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)?.pointee.data {
            mastering = UnsafeRawPointer(data).loadUnaligned(as: AVMasteringDisplayMetadata.self)
        }
        if let data = av_frame_get_side_data(picture, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)?.pointee.data {
            content = UnsafeRawPointer(data).loadUnaligned(as: AVContentLightMetadata.self)
        }
        if let content, content.MaxCLL > 0 { return Double(content.MaxCLL) }
        if let mastering, mastering.has_luminance != 0, mastering.max_luminance.num > 0, mastering.max_luminance.den > 0
        {
            return av_q2d(mastering.max_luminance)
        }
        return ToneMap.commonPeak
    }

    /// Gives `picture` what the container tells, where the picture itself tells nothing: VP9 has no other place for it.
    static func complete(_ picture: UnsafeMutablePointer<AVFrame>, from stream: StreamLight) {
        if let told = stream.mastering, av_frame_get_side_data(picture, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA) == nil
        {
            av_mastering_display_metadata_create_side_data(picture)?.pointee = told
        }
        if let told = stream.content, av_frame_get_side_data(picture, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL) == nil {
            av_content_light_metadata_create_side_data(picture)?.pointee = told
        }
    }
}

/// The container's word on the brightness of a stream's pictures.
struct StreamLight: Sendable {
    let mastering: AVMasteringDisplayMetadata?
    let content: AVContentLightMetadata?

    /// Nil when it says nothing.
    init?(_ stream: UnsafePointer<AVStream>) {
        mastering = zt_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
            .map { UnsafeRawPointer($0).loadUnaligned(as: AVMasteringDisplayMetadata.self) }
        content = zt_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
            .map { UnsafeRawPointer($0).loadUnaligned(as: AVContentLightMetadata.self) }
        if mastering == nil, content == nil { return nil }
    }
}
