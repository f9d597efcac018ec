// Replaces Apple's `import CoreImage`. It includes the typed filters, because Swift supports `import
// CoreImage.CIFilterBuiltins` only for submodules in C.
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
