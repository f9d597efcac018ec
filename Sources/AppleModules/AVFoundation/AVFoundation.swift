// `import AVFoundation` of Apple's sources, which brings Core Media, Core Image and layers there too.
@_exported import CoreMediaModule
@_exported import Downloads
@_exported import Export
@_exported import Filters
@_exported import Foundation
@_exported import MediaEngine
@_exported import Overlays
