// Replaces Apple's `import CoreGraphics`: points, rectangles, paths, transforms and images.
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
