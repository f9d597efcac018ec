// `import CoreGraphics` of Apple's sources: points, rectangles, paths, transforms and images.
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
