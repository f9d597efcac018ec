// `import MediaPlayer` of Apple's sources. Nothing of its own exists yet; what it is written with does.
@_exported import AVFoundationModule
