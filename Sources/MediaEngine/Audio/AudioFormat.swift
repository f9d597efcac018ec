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
    /// What a container may name, frames a second; no device and no codec we decode goes beyond.
    package static let highestRate = 768_000
}

/// What the sound server did to us.
package enum AudioOutputEvent: Sendable, Hashable {
    /// The server died or cannot be reached; time goes on in silence.
    case serverLost
    case serverRestored
    /// No server can be reached, and there was none before; time goes on in silence. Once for each player.
    case serverMissing
    /// After `serverMissing`: there is a server now.
    case serverFound
    /// The stream plays on another device now.
    case deviceChanged
    /// The device is suspended, or the server asks to be quiet (a call comes in). Pause: PulseAudio tells
    /// the end of a call only to those who did, and mutes who does not (module-role-cork).
    case interruptionBegan
    /// That is over.
    case interruptionEnded
}
