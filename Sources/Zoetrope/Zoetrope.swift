// The one import for an app. It re-exports the modules whose types an app uses, and the modules that SwiftUI
// re-exports.
@_exported import DeclarativeUI
@_exported import Downloads
@_exported import Export
@_exported import Filters
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import GLibLoop
@_exported import GTK
@_exported import Logging
@_exported import MediaCore
@_exported import MediaEngine
@_exported import Observation
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation
@_exported import Overlays
@_exported import PlayerControls
@_exported import PlayerViews
@_exported import Presentation
