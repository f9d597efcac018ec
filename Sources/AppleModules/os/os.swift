// `import os` of Apple's sources: its `Logger` is swift-log's, with the initialiser and the levels of Apple's.
@_exported import struct Logging.Logger
@_exported import struct Zoetrope.OSLogPrivacy
@_exported import struct Zoetrope.OSLogType
