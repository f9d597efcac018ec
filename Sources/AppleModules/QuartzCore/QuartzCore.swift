// `import QuartzCore` of Apple's sources.
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
