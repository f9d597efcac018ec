// Replaces Apple's `import AppKit`: views, view controllers and windows.
@_exported import DeclarativeUI
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
