// Replaces Apple's `import AVFAudio`. On Linux, it brings all of AVFoundation, which includes `AVAudioSession`.
@_exported import AVFoundationModule
