// Replaces Apple's `import AVKit`. As on Apple's platforms, it brings AVFoundation and UIKit. The views are those of
// PlayerViews. The component's own names (`Loop`, `Playlist`, …) are only in Zoetrope.
@_exported import AVFoundationModule
@_exported import UIKitModule

@_exported import class PlayerViews.AVPictureInPictureController
@_exported import protocol PlayerViews.AVPictureInPictureControllerDelegate
@_exported import class PlayerViews.AVPlaybackSpeed
@_exported import class PlayerViews.AVPlayerView
@_exported import class PlayerViews.AVPlayerViewController
@_exported import protocol PlayerViews.AVPlayerViewControllerDelegate
@_exported import enum PlayerViews.AVPlayerViewControlsStyle
@_exported import class PlayerViews.AVRouteDetector
@_exported import class PlayerViews.AVRoutePickerView
@_exported import protocol PlayerViews.AVRoutePickerViewDelegate
@_exported import protocol PlayerViews.UIViewControllerTransitionCoordinator
@_exported import protocol PlayerViews.UIViewControllerTransitionCoordinatorContext
@_exported import struct PlayerViews.VideoPlayer
