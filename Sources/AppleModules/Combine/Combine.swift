// `import Combine` of Apple's sources: OpenCombine, and what Zoetrope does better for a program that GLib's loop runs.
// Loaded with Zoetrope are also its publishers of key paths.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation

@_exported import struct Zoetrope.AwakeRunLoop
@_exported import class Zoetrope.RepeatingTimer
