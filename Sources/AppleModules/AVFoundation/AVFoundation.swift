// Replaces Apple's `import AVFoundation`. As on Apple's platforms, it brings Core Media, Core Image and layers.
@_exported import CoreMediaModule
@_exported import Downloads
@_exported import Export
@_exported import Filters
@_exported import Foundation
@_exported import MediaEngine
@_exported import Overlays
