// `import SwiftUI` of Apple's sources. The component's own names (`Loop`, `Playlist`, …) come with Zoetrope only, so
// that they do not meet an app's.
@_exported import CombineModule
@_exported import DeclarativeUI
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Observation
@_exported import Overlays
