import Foundation
import MediaCore

/// A track of an asset in a player item.
@MainActor @preconcurrency
public final class AVPlayerItemTrack {
    /// What the container says of it.
    nonisolated public let assetTrack: AVAssetTrack?
    private weak var item: AVPlayerItem?

    init(_ track: AVAssetTrack, of item: AVPlayerItem) {
        assetTrack = track
        self.item = item
    }

    /// It is among what plays: the picture, and the sound or subtitles that are selected. To change that, select
    /// another option of the track's group (`AVPlayerItem.select(_:in:)`).
    public var isEnabled: Bool {
        guard let item, let assetTrack else { return false }
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
    /// Single pictures can be stepped over in this direction: it is ready and has a picture.
    public var canStepForward: Bool { status == .readyToPlay && description?.video != nil }
    /// As `canStepForward`: single pictures are found in both directions.
    public var canStepBackward: Bool { canStepForward }
    /// Rates above 1.
    public var canPlayFastForward: Bool { status == .readyToPlay }
    /// Rates between 0 and 1.
    public var canPlaySlowForward: Bool { status == .readyToPlay }
    /// Nothing plays backward here.
    public var canPlayReverse: Bool { false }
    /// Nothing plays backward here.
    public var canPlaySlowReverse: Bool { false }
    /// Nothing plays backward here.
    public var canPlayFastReverse: Bool { false }
}

/// Players are equal when they are the same object, as on Apple platforms.
extension AVPlayer: Hashable {
    nonisolated public static func == (a: AVPlayer, b: AVPlayer) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The notifications' older names.
extension Notification.Name {
    /// `AVPlayerItem.didPlayToEndTimeNotification`.
    public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
    /// `AVPlayerItem.failedToPlayToEndTimeNotification`.
    public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
    /// `AVPlayerItem.timeJumpedNotification`.
    public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
    /// `AVPlayerItem.playbackStalledNotification`.
    public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
}
