// Replaces Apple's `import QuartzCore`.
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
