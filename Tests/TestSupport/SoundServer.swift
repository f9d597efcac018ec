/// An audio server of Linux desktops. Both kinds support PulseAudio's protocol.
public enum SoundServer: CaseIterable, Sendable { case pulseAudio, pipeWire }
