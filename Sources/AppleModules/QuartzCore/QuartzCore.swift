// `import QuartzCore` of Apple's sources.
@_exported import Composition
@_exported import Foundation
@_exported import MediaCore
