/// The format of interleaved `Float32` samples: sample rate and channel layout.
package struct AudioFormat: Sendable, Hashable {
    /// The number of frames per second.
    package var sampleRate: Int
    /// The native channel mask of FFmpeg (`AV_CH_*`, libavutil/channel_layout.h), with 1 to 8 channels.
    package var channelMask: UInt64
    package var channelCount: Int { channelMask.nonzeroBitCount }

    package init(sampleRate: Int, channelMask: UInt64) {
        self.sampleRate = sampleRate
        self.channelMask = channelMask
    }

    package static let stereo: UInt64 = 0x3
    /// The highest accepted sample rate in frames per second. No device and no supported codec exceeds it.
    package static let highestRate = 768_000
}

/// An event of the audio server.
package enum AudioOutputEvent: Sendable, Hashable {
    /// The server ended or cannot be reached. Playback continues in silence.
    case serverLost
    /// The server is available again.
    case serverRestored
    /// No server can be reached, and there was none before. Playback continues in silence. Sent once per player.
    case serverMissing
    /// A server is available, after `serverMissing`.
    case serverFound
    /// The stream plays on another device.
    case deviceChanged
    /// The device is suspended, or the server requests silence (for a call). The player has to pause: PulseAudio
    /// reports the end of a call only to streams that paused, and mutes the others (module-role-cork).
    case interruptionBegan
    /// The interruption has ended. It can be resumed, unless the stream ended first, because a call may then go on.
    case interruptionEnded(resumes: Bool)
}
