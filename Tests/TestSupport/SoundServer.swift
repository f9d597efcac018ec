/// The audio servers that Linux desktops have. Both speak PulseAudio's protocol.
public enum SoundServer: CaseIterable, Sendable { case pulseAudio, pipeWire }
