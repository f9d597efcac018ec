// Replaces Apple's `import UniformTypeIdentifiers`.
@_exported import Foundation

@_exported import struct DeclarativeUI.UTType
