// Replaces Apple's `import CoreMedia`.
@_exported import Foundation
@_exported import MediaCore
