// `import AVFAudio` of Apple's sources: `AVAudioSession` and the rest of AVFoundation, of which it is a part there.
@_exported import AVFoundationModule
