// Declarations that `import Foundation` provides on Apple's platforms but not on Linux. With the compiler flags
// `-Xfrontend -import-module -Xfrontend FoundationExtras`, every file imports this module, so that sources can keep
// their imports.
@_exported import CombineModule
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import FoundationXML
@_exported import Observation

@_exported import class DeclarativeUI.DateComponentsFormatter
@_exported import class DeclarativeUI.NSItemProvider
@_exported import enum MediaEngine.NSKeyValueChange
@_exported import class MediaEngine.NSKeyValueObservation
@_exported import struct MediaEngine.NSKeyValueObservedChange
@_exported import struct MediaEngine.NSKeyValueObservingOptions
@_exported import let MediaCore.NSEC_PER_MSEC
@_exported import let MediaCore.NSEC_PER_SEC
@_exported import let MediaCore.NSEC_PER_USEC
@_exported import let MediaCore.USEC_PER_SEC
