import MediaCore
import Synchronization

/// The volume of one audio track over time, in an ``AVAudioMix``. AVFoundation's type. Only
/// ``AVMutableAudioMixInputParameters`` can be changed.
///
/// Before the first time for which a volume is set, the volume is 1. After a ramp, its end volume holds until the next
/// ramp or volume. The samples of a track are multiplied by this volume, and those of a composition's track also by its
/// `preferredVolume`. Safe to use from any thread.
public class AVAudioMixInputParameters: @unchecked Sendable {
    // Unchecked because the class has a subclass. All changeable values are in `values`.
    struct Values: Sendable {
        var trackID = kCMPersistentTrackID_Invalid
        var ramps = VolumeRamps()
    }
    fileprivate let values: Mutex<Values>

    /// Creates parameters that match no track.
    public init() { values = Mutex(Values()) }
    fileprivate init(_ state: Values) { values = Mutex(state) }

    var state: Values { values.withLock { $0 } }
    /// The parameters as they are now.
    var unchanging: AVAudioMixInputParameters { AVAudioMixInputParameters(state) }

    /// The identifier of the track, as in `AVAssetTrack.trackID`. The default, `kCMPersistentTrackID_Invalid`, matches
    /// no track.
    public var trackID: CMPersistentTrackID { values.withLock { $0.trackID } }

    /// Finds the volume ramp that contains `time`, or the first one after `time`. A volume that `setVolume(_:at:)` has
    /// set counts as a ramp to the next time for which a volume is set. If there is none, the range is infinite.
    ///
    /// ```swift
    /// var (start, end, range) = (Float(1), Float(1), CMTimeRange.invalid)
    /// if parameters.getVolumeRamp(for: player.currentTime(), startVolume: &start, endVolume: &end, timeRange: &range) {
    ///     print("from \(start) to \(end) at \(range.start.seconds) s")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - time: A time of the item. If it is not a number, no ramp is found.
    ///   - startVolume: Receives the volume at the start, 0…1.
    ///   - endVolume: Receives the volume at the end, 0…1.
    ///   - timeRange: Receives the time range of the ramp.
    /// - Returns: False, and the other values do not change, after the end of the last ramp or if there is none.
    public func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        guard time.isNumeric, let (ramp, range) = state.ramps.ramp(for: time) else { return false }
        startVolume?.pointee = ramp.first
        endVolume?.pointee = ramp.last
        timeRange?.pointee = range
        return true
    }

    /// Returns an immutable copy, as `AVAudioMixInputParameters`.
    public func copy() -> Any { unchanging }
    /// Returns a copy, as `AVMutableAudioMixInputParameters`.
    public func mutableCopy() -> Any { AVMutableAudioMixInputParameters(state) }
}

/// The volume of one audio track over time, which can be changed. AVFoundation's type. See ``AVMutableAudioMix``.
///
/// A call replaces the volumes that earlier calls have set in its time range. (AVFoundation throws an exception if
/// ramps overlap.) The remaining parts of an earlier ramp keep their volumes. A volume that is set inside a ramp ends
/// the ramp. Safe to use from any thread.
public final class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. The class has no stored properties.

    /// Creates parameters that match no track until `trackID` is set.
    public override init() { super.init() }
    override init(_ state: Values) { super.init(state) }

    /// Creates parameters for `track`; for no track if it is nil.
    public init(track: AVAssetTrack?) {
        super.init(Values(trackID: track?.trackID ?? kCMPersistentTrackID_Invalid))
    }

    /// The identifier of the track, as in `AVAssetTrack.trackID`. The default, `kCMPersistentTrackID_Invalid`, matches
    /// no track.
    public override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { values.withLock { $0.trackID = newValue } }
    }

    /// Sets the volume from `time` on, until the next ramp or volume. Has no effect at the start of a ramp.
    ///
    /// - Parameters:
    ///   - volume: The volume, clamped to 0…1. NaN counts as 0.
    ///   - time: A time of the item. The call is ignored if the time is negative or not a number.
    public func setVolume(_ volume: Float, at time: CMTime) {
        guard let time = AVMutableAudioMixInputParameters.valid(time) else { return }
        let volume = AVMutableAudioMixInputParameters.clamped(volume)
        values.withLock { $0.ramps.set(VolumeRamps.Ramp(time, time, from: volume, to: volume)) }
    }

    /// Changes the volume linearly during `timeRange`. A range without duration sets the end volume.
    ///
    /// - Parameters:
    ///   - startVolume: The volume at the start of the range, clamped to 0…1. NaN counts as 0.
    ///   - endVolume: The volume at the end of the range and after it, clamped to 0…1. NaN counts as 0.
    ///   - timeRange: A range of the item. The call is ignored if the start is negative, or if the range is invalid or
    ///     infinite.
    public func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange)
    {
        guard timeRange.isValid, let start = AVMutableAudioMixInputParameters.valid(timeRange.start),
            let end = AVMutableAudioMixInputParameters.valid(timeRange.end)
        else { return }
        guard start < end else { return setVolume(endVolume, at: start) }
        let first = AVMutableAudioMixInputParameters.clamped(startVolume)
        let last = AVMutableAudioMixInputParameters.clamped(endVolume)
        values.withLock { $0.ramps.set(VolumeRamps.Ramp(start, end, from: first, to: last)) }
    }

    private static func clamped(_ volume: Float) -> Float { volume > 0 ? min(1, volume) : 0 }

    /// Returns `time` with epoch 0; nil if it is negative or not a number.
    private static func valid(_ time: CMTime) -> CMTime? {
        guard time.isNumeric, time.value >= 0 else { return nil }
        return CMTime(value: time.value, timescale: time.timescale, flags: time.flags, epoch: 0)
    }
}
