// Replaces Apple's `import UIKit`: colors, images, the device, views and view controllers.
@_exported import DeclarativeUI
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
