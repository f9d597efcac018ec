// `import UniformTypeIdentifiers` of Apple's sources.
@_exported import Foundation

@_exported import struct DeclarativeUI.UTType
