// Replaces Apple's `import os`. `Logger` is swift-log's, with the initializer and the levels of Apple's.
@_exported import struct Logging.Logger
@_exported import struct Zoetrope.OSLogPrivacy
@_exported import struct Zoetrope.OSLogType
