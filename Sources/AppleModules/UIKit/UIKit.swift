// `import UIKit` of Apple's sources: colours, pictures, the device, views and their controllers.
@_exported import DeclarativeUI
@_exported import Filters
@_exported import Foundation
@_exported import MediaCore
@_exported import Overlays
