// `import CoreImage` of Apple's sources. Its typed filters are part of it here: `import CoreImage.CIFilterBuiltins`
// cannot be had, Swift knows submodules of C only.
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
