// `import AVFoundation` of Apple's sources, which brings Core Media, Core Image and layers there too.
@_exported import Composition
@_exported import CoreMediaModule
@_exported import DownloadSessions
@_exported import Downloads
@_exported import Foundation
@_exported import MediaEngine
