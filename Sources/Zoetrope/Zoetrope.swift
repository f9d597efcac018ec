// The face: one import for an app. Re-exports the modules whose types an app names, and what SwiftUI brings along.
@_exported import Composition
@_exported import DeclarativeUI
@_exported import DownloadSessions
@_exported import Downloads
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import GLibSupport
@_exported import GTKSupport
@_exported import Logging
@_exported import MediaCore
@_exported import MediaEngine
@_exported import Observation
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation
@_exported import PlayerViews
@_exported import Presentation
