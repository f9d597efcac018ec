// Replaces Apple's `import Combine`: OpenCombine, and Zoetrope's own types for programs that GLib's main loop runs.
// Because Zoetrope is loaded, its publishers of key paths are available too.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation

@_exported import struct Zoetrope.AwakeRunLoop
@_exported import class Zoetrope.RepeatingTimer
