import Foundation

/// A track of a player item's asset.
@MainActor @preconcurrency
public final class AVPlayerItemTrack {
    /// The track of the asset, as the container describes it; never nil.
    nonisolated public let assetTrack: AVAssetTrack?
    private weak var item: AVPlayerItem?

    init(_ track: AVAssetTrack, of item: AVPlayerItem) {
        assetTrack = track
        self.item = item
    }

    /// Whether the track plays: the video, and the selected audio and subtitles. To change the selection, call
    /// `AVPlayerItem.select(_:in:)`.
    public var isEnabled: Bool {
        guard let item, let assetTrack else { return false }
        // All enabled tracks of a composition play.
        if assetTrack is AVCompositionTrack { return assetTrack.isEnabled }
        let kind: AVMediaCharacteristic? =
            switch assetTrack.mediaType {
            case .audio: .audible
            case .subtitle: .legible
            default: nil
            }
        guard let kind else { return assetTrack.isEnabled || assetTrack.mediaType == .video }
        let group = AVMediaSelectionGroup(tracks: item.tracks.compactMap(\.assetTrack), for: kind)
        return group.flatMap { item.currentMediaSelection.selectedMediaOption(in: $0)?.track === assetTrack } ?? false
    }
}

extension AVPlayerItemTrack: Hashable {
    nonisolated public static func == (a: AVPlayerItemTrack, b: AVPlayerItemTrack) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AVPlayerItem {
    /// Whether the item can step forward by single frames: it is ready and has video.
    public var canStepForward: Bool { status == .readyToPlay && description?.video != nil }
    /// Whether the item can step backward by single frames. Same as `canStepForward`.
    public var canStepBackward: Bool { canStepForward }
    /// Whether the item can play at rates above 1.
    public var canPlayFastForward: Bool { status == .readyToPlay }
    /// Whether the item can play at rates between 0 and 1.
    public var canPlaySlowForward: Bool { status == .readyToPlay }
    /// Whether the item can play backward. Always false: backward playback is not supported.
    public var canPlayReverse: Bool { false }
    /// Whether the item can play backward at rates between −1 and 0. Always false.
    public var canPlaySlowReverse: Bool { false }
    /// Whether the item can play backward at rates below −1. Always false.
    public var canPlayFastReverse: Bool { false }
}

/// Players are equal if they are the same object, as on Apple platforms.
extension AVPlayer: Hashable {
    nonisolated public static func == (a: AVPlayer, b: AVPlayer) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Older names of the notifications.
extension Notification.Name {
    /// An older name of `AVPlayerItem.didPlayToEndTimeNotification`.
    public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
    /// An older name of `AVPlayerItem.failedToPlayToEndTimeNotification`.
    public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
    /// An older name of `AVPlayerItem.timeJumpedNotification`.
    public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
    /// An older name of `AVPlayerItem.playbackStalledNotification`.
    public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
    /// An older name of `AVPlayerItem.newErrorLogEntryNotification`.
    public static let AVPlayerItemNewErrorLogEntry = AVPlayerItem.newErrorLogEntryNotification
    /// An older name of `AVPlayerItem.newAccessLogEntryNotification`.
    public static let AVPlayerItemNewAccessLogEntry = AVPlayerItem.newAccessLogEntryNotification
}

/// The key of the error, an `AVError`, in `userInfo` of `AVPlayerItem.failedToPlayToEndTimeNotification`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
