// Subtitle outputs deliver these types to apps, so apps need no other import.
@_exported import struct Streaming.WebVTTCue
@_exported import struct Streaming.WebVTTRegion
@_exported import struct Streaming.WebVTTSettings
@_exported import struct Streaming.WebVTTText
