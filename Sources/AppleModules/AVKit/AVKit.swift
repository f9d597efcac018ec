// `import AVKit` of Apple's sources, which brings AVFoundation and UIKit there too. Its views are PlayerViews'; the
// component's own names (`Loop`, `Playlist`, …) come with Zoetrope only.
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
