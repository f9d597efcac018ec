import CPulse

/// Conversion between FFmpeg's channel masks and PulseAudio's channel maps.
enum PulseChannels {
    /// FFmpeg's bits (libavutil/channel_layout.h) and PulseAudio's positions (pulse/channelmap.h), in FFmpeg's order.
    private static let pairs: [(bit: UInt64, position: pa_channel_position_t)] = [
        (0x1, PA_CHANNEL_POSITION_FRONT_LEFT), (0x2, PA_CHANNEL_POSITION_FRONT_RIGHT),
        (0x4, PA_CHANNEL_POSITION_FRONT_CENTER), (0x8, PA_CHANNEL_POSITION_LFE),
        (0x10, PA_CHANNEL_POSITION_REAR_LEFT), (0x20, PA_CHANNEL_POSITION_REAR_RIGHT),
        (0x40, PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER), (0x80, PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER),
        (0x100, PA_CHANNEL_POSITION_REAR_CENTER),
        (0x200, PA_CHANNEL_POSITION_SIDE_LEFT), (0x400, PA_CHANNEL_POSITION_SIDE_RIGHT),
        (0x800, PA_CHANNEL_POSITION_TOP_CENTER), (0x1000, PA_CHANNEL_POSITION_TOP_FRONT_LEFT),
        (0x2000, PA_CHANNEL_POSITION_TOP_FRONT_CENTER), (0x4000, PA_CHANNEL_POSITION_TOP_FRONT_RIGHT),
        (0x8000, PA_CHANNEL_POSITION_TOP_REAR_LEFT), (0x10000, PA_CHANNEL_POSITION_TOP_REAR_CENTER),
        (0x20000, PA_CHANNEL_POSITION_TOP_REAR_RIGHT),
    ]

    static func mask(_ map: pa_channel_map) -> UInt64 {
        var map = map
        if map.channels == 1 { return 0x4 }
        var mask: UInt64 = 0
        withUnsafeBytes(of: &map.map) { raw in
            let positions = raw.bindMemory(to: pa_channel_position_t.self)
            for index in 0..<min(Int(map.channels), positions.count) {
                if let pair = pairs.first(where: { $0.position == positions[index] }) { mask |= pair.bit }
            }
        }
        return mask
    }

    static func map(_ mask: UInt64) -> pa_channel_map {
        var map = pa_channel_map()
        pa_channel_map_init(&map)
        let positions = pairs.filter { mask & $0.bit != 0 }.map(\.position)
        // A single channel is mono, regardless of its position in FFmpeg. Layouts that PulseAudio does not know are
        // mapped by their number of channels.
        if mask.nonzeroBitCount == 1 {
            pa_channel_map_init_mono(&map)
        } else if positions.count == mask.nonzeroBitCount {
            map.channels = UInt8(positions.count)
            withUnsafeMutableBytes(of: &map.map) { raw in
                let target = raw.bindMemory(to: pa_channel_position_t.self)
                for (index, position) in positions.enumerated() where index < target.count { target[index] = position }
            }
        } else {
            pa_channel_map_init_extend(&map, UInt32(mask.nonzeroBitCount), PA_CHANNEL_MAP_DEFAULT)
        }
        return map
    }

    private static let mono: UInt64 = 0x4

    /// Returns the channel mask of the output for a source with mask `source` and a device with mask `device`.
    ///
    /// The source's layout is used if the device has at least as many channels, or all channels of the source.
    /// Otherwise the device's layout is used: 5.1 audio on a stereo device is mixed to stereo. A source with an unknown
    /// layout (0) or more than 8 channels gets the device's layout. If the device is unknown (nil), sources with 1 or 2
    /// channels keep their layout; all others get stereo.
    static func preferred(source: UInt64, device: UInt64?) -> UInt64 {
        let device = device.flatMap { (1...8).contains($0.nonzeroBitCount) ? $0 : nil }
        guard (1...8).contains(source.nonzeroBitCount) else { return device ?? AudioFormat.stereo }
        guard let device else { return source.nonzeroBitCount <= 2 ? source : AudioFormat.stereo }
        if source.nonzeroBitCount <= device.nonzeroBitCount || source & ~device == 0 { return source }
        return device.nonzeroBitCount == 1 ? mono : device
    }
}
