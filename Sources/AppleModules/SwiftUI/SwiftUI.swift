// Replaces Apple's `import SwiftUI`. The component's own names (`Loop`, `Playlist`, …) are only in Zoetrope, so that
// they do not conflict with an app's names.
@_exported import CombineModule
@_exported import DeclarativeUI
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Observation
@_exported import Overlays
