import CFFmpeg

/// A test whether a packet's frame is disposable, that is, no other frame depends on it. It reads only the packet's
/// headers.
///
/// libavcodec can skip such frames itself (`AVDISCARD_NONREF`). With frame threading, however, each skipped packet
/// still occupies a thread, so the next needed frame waits. Packets that are never sent cost nothing, which makes a
/// seek about 25% faster.
struct DisposableFrame {
    private enum Syntax {
        case h264
        case hevc(highestTemporalID: Int)
    }
    private let syntax: Syntax
    /// The number of bytes of the length before a NAL unit; 0 for start codes (Annex B).
    private let lengthSize: Int

    /// Creates a test for a track; nil for a codec whose packets are not examined.
    init?(_ parameters: CodecParameters) {
        let raw = parameters.raw.pointee
        let extra = UnsafeBufferPointer(start: raw.extradata, count: raw.extradata == nil ? 0 : Int(raw.extradata_size))
        // A configuration record begins with its version, 1 (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1). Annex B begins
        // with a start code.
        let isRecord = extra.first == 1
        switch raw.codec_id {
        case AV_CODEC_ID_H264:
            syntax = .h264
            guard !isRecord || extra.count > 4 else { return nil }
            lengthSize = isRecord ? Int(extra[4] & 3) + 1 : 0
        case AV_CODEC_ID_HEVC:
            // A "sub-layer non-reference" picture is unused as a reference only in the highest temporal sub-layer. Only
            // the configuration record gives the number of that sub-layer.
            guard isRecord, extra.count > 21, extra[21] >> 3 & 7 > 0 else { return nil }
            syntax = .hevc(highestTemporalID: Int(extra[21] >> 3 & 7) - 1)
            lengthSize = Int(extra[21] & 3) + 1
        default:
            return nil
        }
    }

    /// Returns true only if the frame is certainly disposable.
    func callAsFunction(_ packet: MediaPacket) -> Bool {
        guard !packet.isKey, let data = packet.raw.pointee.data else { return false }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.raw.pointee.size))
        var found = false
        var at = 0
        while let unit = next(in: bytes, from: &at) {
            guard unit + 1 < bytes.count else { break }
            switch syntax {
            case .h264:
                // nal_ref_idc (2 bits after the forbidden bit) and nal_unit_type: H.264, 7.3.1. Slices are types 1 to
                // 5.
                guard 1...5 ~= bytes[unit] & 0x1F else { continue }
                if bytes[unit] >> 5 & 3 != 0 { return false }
            case .hevc(let highest):
                // nal_unit_type and nuh_temporal_id_plus1: H.265, 7.3.1.2. Non-reference pictures have even types up to
                // 14.
                let type = bytes[unit] >> 1 & 0x3F
                guard type < 32 else { continue }
                if type > 14 || type % 2 == 1 || Int(bytes[unit + 1] & 7) - 1 != highest { return false }
            }
            found = true
        }
        return found
    }

    /// Returns the offset of the next NAL unit; nil at the end.
    private func next(in bytes: UnsafeBufferPointer<UInt8>, from at: inout Int) -> Int? {
        if lengthSize > 0 {
            guard at + lengthSize < bytes.count else { return nil }
            let length = bytes[at..<at + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            let unit = at + lengthSize
            at = unit + length
            return unit
        }
        while at + 3 < bytes.count {
            if bytes[at] == 0, bytes[at + 1] == 0, bytes[at + 2] == 1 {
                at += 3
                return at
            }
            at += 1
        }
        return nil
    }
}
