import MediaCore
import Synchronization

/// The volumes of the audio tracks of an item or an export. AVFoundation's type. Only an ``AVMutableAudioMix`` can be
/// changed.
///
/// Safe to use from any thread.
public class AVAudioMix: @unchecked Sendable {
    // Unchecked because the class has a subclass. All changeable values are in `parameters`.
    fileprivate let parameters: Mutex<[AVAudioMixInputParameters]>

    /// Creates a mix that changes no volume.
    public init() { parameters = Mutex([]) }
    fileprivate init(_ list: [AVAudioMixInputParameters]) { parameters = Mutex(list) }

    /// The parameters of the tracks. If several have the same `trackID`, the first of them applies.
    public var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

    /// Returns an immutable copy of the mix and its parameters, as an `AVAudioMix`.
    public func copy() -> Any { unchanging }
    /// Returns a copy of the mix, as an `AVMutableAudioMix`. Its parameters are `AVMutableAudioMixInputParameters`.
    public func mutableCopy() -> Any {
        let copy = AVMutableAudioMix()
        copy.inputParameters = inputParameters.map { AVMutableAudioMixInputParameters($0.state) }
        return copy
    }

    /// The mix as it is now. Later changes of this object and its parameters do not affect it.
    package var unchanging: AVAudioMix {
        // Only a mutable mix can contain parameters that change.
        type(of: self) == AVAudioMix.self ? self : AVAudioMix(inputParameters.map(\.unchanging))
    }

    /// The mix as a value.
    package var volumes: TrackVolumes {
        var volumes = TrackVolumes()
        for parameters in inputParameters {
            let state = parameters.state
            volumes.add(state.ramps, for: state.trackID)
        }
        return volumes
    }
}

/// An audio mix whose parameters can be changed. AVFoundation's type.
///
/// ```swift
/// let parameters = AVMutableAudioMixInputParameters(track: music)
/// parameters.setVolume(0.3, at: .zero)
/// parameters.setVolumeRamp(
///     fromStartVolume: 0.3, toEndVolume: 0,
///     timeRange: CMTimeRange(start: CMTime(value: 8, timescale: 1), duration: CMTime(value: 2, timescale: 1)))
/// let mix = AVMutableAudioMix()
/// mix.inputParameters = [parameters]
/// item.audioMix = mix
/// ```
/// An item and an export session copy the mix and its parameters when it is set. Set it again after a change. Safe to
/// use from any thread.
public final class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. The class has no stored properties.

    /// Creates a mix that changes no volume.
    public override init() { super.init() }

    /// The parameters of the tracks. If several have the same `trackID`, the first of them applies.
    ///
    /// Parameters are ignored unless their `trackID` is that of an audio track that plays: an enabled track of a
    /// composition, or the selected audio track of another asset.
    public override var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}
