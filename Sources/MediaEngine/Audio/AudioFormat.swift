/// Interleaved Float32 at a rate, in a channel layout.
package struct AudioFormat: Sendable, Hashable {
    /// Frames per second.
    package var sampleRate: Int
    /// FFmpeg's native channel mask (`AV_CH_*`, libavutil/channel_layout.h), 1 … 8 channels.
    package var channelMask: UInt64
    package var channelCount: Int { channelMask.nonzeroBitCount }

    package init(sampleRate: Int, channelMask: UInt64) {
        self.sampleRate = sampleRate
        self.channelMask = channelMask
    }

    package static let stereo: UInt64 = 0x3
}

/// What the sound server did to us.
package enum AudioOutputEvent: Sendable {
    /// The server died or cannot be reached; time goes on in silence.
    case serverLost
    case serverRestored
    /// The stream plays on another device now.
    case deviceChanged
    /// The server asks to be quiet (a call, another player's role) …
    case interruptionBegan
    /// … and that is over.
    case interruptionEnded
}
