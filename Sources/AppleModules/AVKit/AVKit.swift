// `import AVKit` of Apple's sources.
@_exported import AVFoundationModule
