import Foundation
import MediaCore
import Streaming
import Synchronization

/// The timed metadata that an item's readers have found, in media time. Thread-safe.
///
/// Readers run ahead of playback, and read the same part again after a seek or in another variant. Metadata that is
/// already known is not added again.
final class TimedMetadata: Sendable {
    /// Metadata that begins to apply at a time.
    struct Event: Sendable {
        /// The number of the event, different for all events of an item.
        let number: Int
        let time: MediaTime
        /// The duration; nil if the metadata applies until the next event.
        let duration: MediaTime?
        let group: AVTimedMetadataGroup
        /// The bytes from which the metadata was made.
        fileprivate let source: [UInt8]
        /// The approximate size in bytes.
        fileprivate var size: Int { source.count + group.items.count * 512 }
    }

    private struct State {
        /// The events in order of time.
        var events: [Event] = []
        var next = 0
        var byteCount = 0
        var onChange: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    /// The maximum number of events, and their maximum size in bytes. Beyond these, the oldest events are removed.
    private static let mostEvents = 4096, mostBytes = 16 << 20
    /// The maximum difference between two times of the same event. Offsets are determined again after a seek.
    private static let tolerance: MediaTime = 100_000_000

    /// The events in order of time.
    var events: [Event] { state.withLock { $0.events } }

    /// Sets a closure that is called on any thread after an event was added; nil removes it.
    func setOnChange(_ body: (@Sendable () -> Void)?) {
        _ = state.withLock { exchange(&$0.onChange, body) }
    }

    /// Adds the frames of ID3 tags.
    func addID3(_ bytes: [UInt8], at time: MediaTime, lasting duration: MediaTime? = nil) {
        add(from: bytes, at: time, lasting: duration) { length in
            ID3Tag(bytes).frames.compactMap { AVMetadataItem($0, at: time.time, lasting: length) }
        }
    }

    /// Adds a title of an internet radio station.
    func addRadioTitle(_ title: String, at time: MediaTime) {
        add(from: Array(title.utf8), at: time, lasting: nil) { _ in
            [AVMetadataItem(radioTitle: title, at: time.time)]
        }
    }

    private func add(
        from source: [UInt8], at time: MediaTime, lasting duration: MediaTime?,
        _ makeItems: (_ duration: CMTime) -> [AVMetadataItem]
    ) {
        let isKnown = state.withLock { state in
            state.events.contains { $0.source == source && ($0.time - time).magnitude <= TimedMetadata.tolerance }
        }
        guard !isKnown else { return }
        let length = duration?.time ?? .indefinite
        let items = makeItems(length)
        guard !items.isEmpty else { return }
        let group = AVTimedMetadataGroup(items: items, timeRange: CMTimeRange(start: time.time, duration: length))
        let call = state.withLock { state in
            let event = Event(number: state.next, time: time, duration: duration, group: group, source: source)
            state.next += 1
            state.events.insert(event, at: state.events.firstIndex { $0.time > time } ?? state.events.count)
            state.byteCount += event.size
            while state.events.count > 1,
                state.events.count > TimedMetadata.mostEvents || state.byteCount > TimedMetadata.mostBytes
            {
                state.byteCount -= state.events.removeFirst().size
            }
            return state.onChange
        }
        call?()
    }
}

extension AVMetadataItem {
    /// Creates an item from a frame of an ID3 tag. Returns nil if the frame is damaged, or has only the clock of packed
    /// audio (RFC 8216 §3.4).
    fileprivate convenience init?(_ frame: ID3Tag.Frame, at time: CMTime, lasting duration: CMTime) {
        guard let value = frame.value, value.info != PackedAudio.clock || frame.id != "PRIV" else { return nil }
        var content = Content(
            identifier: MetadataName.identifier(key: frame.id, in: .id3), text: value.text, data: value.data,
            type: value.type, language: value.language.flatMap { LanguageTag($0)?.description })
        (content.time, content.duration) = (time, duration)
        content.extraAttributes = ExtraAttributes(values: value.info.map { [.info: $0] })
        self.init(content)
    }

    fileprivate convenience init(radioTitle title: String, at time: CMTime) {
        var content = Content(identifier: .icyMetadataStreamTitle, text: title, data: Data(title.utf8))
        (content.time, content.duration) = (time, .indefinite)
        self.init(content)
    }
}
