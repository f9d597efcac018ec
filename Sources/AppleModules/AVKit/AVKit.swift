// `import AVKit` of Apple's sources, which brings AVFoundation and UIKit there too. Its views are Zoetrope's; the component's own names
// (`Loop`, `Playlist`, …) come with Zoetrope only.
@_exported import AVFoundationModule
@_exported import UIKitModule
@_exported import class Zoetrope.AVPictureInPictureController
@_exported import protocol Zoetrope.AVPictureInPictureControllerDelegate
@_exported import class Zoetrope.AVPlaybackSpeed
@_exported import class Zoetrope.AVPlayerView
@_exported import class Zoetrope.AVPlayerViewController
@_exported import protocol Zoetrope.AVPlayerViewControllerDelegate
@_exported import enum Zoetrope.AVPlayerViewControlsStyle
@_exported import class Zoetrope.AVRouteDetector
@_exported import class Zoetrope.AVRoutePickerView
@_exported import protocol Zoetrope.AVRoutePickerViewDelegate
@_exported import protocol Zoetrope.UIViewControllerTransitionCoordinator
@_exported import protocol Zoetrope.UIViewControllerTransitionCoordinatorContext
@_exported import struct Zoetrope.VideoPlayer
