import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// The transform, the opacity and the visible part of the frames of one video track. AVFoundation's type.
///
/// See ``AVMutableVideoCompositionLayerInstruction``.
public class AVVideoCompositionLayerInstruction: @unchecked Sendable {
    // Unchecked because the class can be subclassed in this module. All values are in `content`.
    struct Content: Sendable {
        var trackID = kCMPersistentTrackID_Invalid
        /// The track with which the app has created the instruction, which refers to its composition.
        var track: AVAssetTrack?
        var transforms = ValueRamps<CGAffineTransform>()
        var opacities = ValueRamps<Float>()
        var crops = ValueRamps<CGRect>()
    }
    let content: Mutex<Content>

    init(_ content: Content) { self.content = Mutex(content) }

    /// The identifier of the track.
    public var trackID: CMPersistentTrackID { content.withLock { $0.trackID } }
}

/// The transform, the opacity and the visible part of the frames of one video track, which can be changed.
/// AVFoundation's type.
///
/// ```swift
/// let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
/// layer.setTransform(CGAffineTransform(scaleX: 0.5, y: 0.5), at: .zero)
/// layer.setOpacityRamp(
///     fromStartOpacity: 1, toEndOpacity: 0,
///     timeRange: CMTimeRange(start: end - CMTime(value: 1, timescale: 1), end: end))
/// ```
/// Times are those of the asset or the composition. Each value applies until the next time at which a value is set. A
/// call for the start of another ramp replaces that ramp. Safe to use from any thread.
public final class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. The class has no stored properties.

    /// Creates an instruction. Set `trackID`.
    public init() { super.init(Content()) }
    /// Creates an instruction for `track`.
    public init(assetTrack track: AVAssetTrack) { super.init(Content(trackID: track.trackID, track: track)) }

    public override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { content.withLock { $0.trackID = newValue } }
    }

    /// Sets the transform from the pixels of the track's frames to those of the composed frame.
    ///
    /// The origin is at the upper left, and y points down. The frames have square pixels. Before the first transform,
    /// it is the identity: the frames have the orientation in which they are stored. Set `preferredTransform` of the
    /// track to show them upright.
    public func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
        content.withLock { $0.transforms.set(transform, at: time) }
    }
    /// Sets transforms that change evenly, number by number, in `timeRange`. Ignores a range that is not valid.
    public func setTransformRamp(
        fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange
    ) {
        content.withLock { $0.transforms.set(from: startTransform, to: endTransform, in: timeRange) }
    }

    /// Sets the opacity, from 0 to 1. Other values are clamped. Before the first opacity, it is 1.
    public func setOpacity(_ opacity: Float, at time: CMTime) {
        content.withLock { $0.opacities.set(opacity, at: time) }
    }
    /// Sets opacities that change evenly in `timeRange`. Ignores a range that is not valid.
    public func setOpacityRamp(
        fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
    ) {
        content.withLock { $0.opacities.set(from: startOpacity, to: endOpacity, in: timeRange) }
    }

    /// Sets the visible part of the frames, in their square pixels before the transform, with the origin at the upper
    /// left. Before the first rectangle, the whole frame is visible.
    public func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
        content.withLock { $0.crops.set(cropRectangle, at: time) }
    }
    /// Sets visible parts that change evenly in `timeRange`. Ignores a range that is not valid.
    public func setCropRectangleRamp(
        fromStartCropRectangle startCropRectangle: CGRect, toEndCropRectangle endCropRectangle: CGRect,
        timeRange: CMTimeRange
    ) {
        content.withLock { $0.crops.set(from: startCropRectangle, to: endCropRectangle, in: timeRange) }
    }
}

extension AVVideoCompositionLayerInstruction.Content {
    /// Returns the transform at `time`.
    func transform(at time: MediaTime) -> CGAffineTransform {
        transforms.value(at: time, initial: .identity) { from, to, part in
            let part = CGFloat(part)
            func mixed(_ number: KeyPath<CGAffineTransform, CGFloat>) -> CGFloat {
                from[keyPath: number] + (to[keyPath: number] - from[keyPath: number]) * part
            }
            return CGAffineTransform(
                a: mixed(\.a), b: mixed(\.b), c: mixed(\.c), d: mixed(\.d), tx: mixed(\.tx), ty: mixed(\.ty))
        }
    }

    /// Returns the opacity at `time`, from 0 to 1.
    func opacity(at time: MediaTime) -> Float {
        let opacity = opacities.value(at: time, initial: 1) { $0 + ($1 - $0) * Float($2) }
        return opacity > 0 ? min(1, opacity) : 0
    }

    /// Returns the visible part at `time`; nil for the whole frame.
    func crop(at time: MediaTime) -> CGRect? {
        let crop = crops.value(at: time, initial: .infinite) { from, to, part in
            guard !from.isPracticallyInfinite, !to.isPracticallyInfinite else { return from }
            let part = CGFloat(part)
            func mixed(_ a: CGFloat, _ b: CGFloat) -> CGFloat { a + (b - a) * part }
            return CGRect(
                x: mixed(from.minX, to.minX), y: mixed(from.minY, to.minY), width: mixed(from.width, to.width),
                height: mixed(from.height, to.height))
        }
        return crop.isPracticallyInfinite ? nil : crop
    }
}
