// The types of cues, which the outputs of subtitles deliver to apps.
@_exported import struct Streaming.WebVTTCue
@_exported import struct Streaming.WebVTTRegion
@_exported import struct Streaming.WebVTTSettings
@_exported import struct Streaming.WebVTTText
