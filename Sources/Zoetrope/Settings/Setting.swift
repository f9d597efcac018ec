import Composition
import DeclarativeUI
import Foundation
import MediaCore

/// What may stand in `VideoSettings { … }`.
public protocol SettingsConvertible {
    func asSettings() -> [Setting]
}

/// One setting with its value. Written by the types that have its name (`SourceName`, `Loop`, …).
public enum Setting: Equatable, Sendable, SettingsConvertible {
    case name(String)
    case ext(String)
    case subtitles(String)
    case loop
    case mute
    case notAutoPlay
    case timePublishing(CMTime)
    case gravity(AVLayerVideoGravity)
    case vector
    case pictureInPicture
    /// No filters: all events. The interval is in seconds.
    case events([PlayerEventFilter], interval: Double)
    case errorColor(Color)
    case errorFontSize(CGFloat)
    case errorWidgetOff

    public func asSettings() -> [Setting] { [self] }

    /// The setting without its value: each may be given once.
    enum Kind: Hashable {
        case name, ext, subtitles, loop, mute, notAutoPlay, timePublishing, gravity, vector, pictureInPicture, events
        case errorColor, errorFontSize, errorWidgetOff
    }

    var kind: Kind {
        switch self {
        case .name: .name
        case .ext: .ext
        case .subtitles: .subtitles
        case .loop: .loop
        case .mute: .mute
        case .notAutoPlay: .notAutoPlay
        case .timePublishing: .timePublishing
        case .gravity: .gravity
        case .vector: .vector
        case .pictureInPicture: .pictureInPicture
        case .events: .events
        case .errorColor: .errorColor
        case .errorFontSize: .errorFontSize
        case .errorWidgetOff: .errorWidgetOff
        }
    }
}
