import MediaCore
import MediaEngine
import Synchronization

/// An instruction of a video composition. Only ``AVVideoCompositionInstruction`` has an effect, because custom
/// compositors are not supported.
@preconcurrency
public protocol AVVideoCompositionInstructionProtocol: AnyObject, Sendable {
    /// The time range in which the instruction applies.
    var timeRange: CMTimeRange { get }
}

/// A description of how frames are composed in a time range. AVFoundation's type.
///
/// See ``AVMutableVideoCompositionInstruction``.
public class AVVideoCompositionInstruction: AVVideoCompositionInstructionProtocol, @unchecked Sendable {
    // Unchecked because the class can be subclassed in this module. All values are in `content`.
    struct Content: Sendable {
        var timeRange = CMTimeRange.zero
        var backgroundColor: CGColor?
        var layers: [AVVideoCompositionLayerInstruction] = []
        var enablesPostProcessing = true
    }
    let content: Mutex<Content>

    init(_ content: Content) { self.content = Mutex(content) }

    /// The time range in which the instruction applies. An instruction also applies after its end, until the next one
    /// begins. The first one also applies before its start.
    public var timeRange: CMTimeRange { content.withLock { $0.timeRange } }
    /// The color behind the layers; nil for black. Its alpha is ignored.
    public var backgroundColor: CGColor? { content.withLock { $0.backgroundColor } }
    /// The instructions for the video tracks, the top one first.
    public var layerInstructions: [AVVideoCompositionLayerInstruction] { content.withLock { $0.layers } }
    /// Whether layers are drawn over the composed frames. It has no effect.
    public var enablePostProcessing: Bool { content.withLock { $0.enablesPostProcessing } }
}

/// A description of how frames are composed in a time range, which can be changed. AVFoundation's type.
///
/// ```swift
/// let instruction = AVMutableVideoCompositionInstruction()
/// instruction.timeRange = CMTimeRange(start: .zero, duration: composition.duration)
/// instruction.backgroundColor = CGColor(red: 0, green: 0, blue: 0.4, alpha: 1)
/// instruction.layerInstructions = [AVMutableVideoCompositionLayerInstruction(assetTrack: track)]
/// ```
/// Unlike in AVFoundation, one video track is read at a time. At each time, a composition shows the first enabled track
/// that is not empty. The layer instruction of this track applies, over the background color. Without such a layer
/// instruction, only the background color is visible. For a composition, create layer instructions with its tracks: if
/// none belongs to a track of a composition, the first one applies at each time. Safe to use from any thread.
public final class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. The class has no stored properties.

    /// Creates an instruction without a time range and without layers.
    public init() { super.init(Content()) }

    public override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { content.withLock { $0.timeRange = newValue } }
    }
    public override var backgroundColor: CGColor? {
        get { super.backgroundColor }
        set { content.withLock { $0.backgroundColor = newValue } }
    }
    public override var layerInstructions: [AVVideoCompositionLayerInstruction] {
        get { super.layerInstructions }
        set { content.withLock { $0.layers = newValue } }
    }
    public override var enablePostProcessing: Bool {
        get { super.enablePostProcessing }
        set { content.withLock { $0.enablesPostProcessing = newValue } }
    }
}
