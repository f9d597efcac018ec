// `import CoreMedia` of Apple's sources.
@_exported import Foundation
@_exported import MediaCore
