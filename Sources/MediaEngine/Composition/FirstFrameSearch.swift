import MediaCore

/// A search for the frame that is shown at the start of a piece, among the packets from a keyframe on.
///
/// If durations are unreliable, a frame that begins before the piece is shown until the next one begins, which can
/// follow later because frames are reordered. Only the last such frame and the packets after it are held.
struct FirstFrameSearch {
    /// Whether a packet that follows can belong to the frame.
    private(set) var isSearching: Bool
    /// The media time in the source of the frame. Nil if the durations of packets determine this frame.
    private(set) var leading: MediaTime?
    /// The packets that were not taken yet, in order. The first `ready` can be taken.
    private var held: [MediaPacket] = []
    private var ready = 0

    /// The greatest number of frames that a codec reorders.
    static let mostReordered = 16

    /// Creates a search.
    ///
    /// - Parameter isNeeded: Whether durations are unreliable. Otherwise, every packet can be taken at once.
    init(isNeeded: Bool = false) { isSearching = isNeeded }

    /// Whether no packets are held.
    var isEmpty: Bool { held.isEmpty }

    /// Holds `packet` until it is known whether its frame is shown at the start of the piece.
    ///
    /// - Parameters:
    ///   - decoded: The decode time of the packet; nil if it is unknown.
    ///   - limit: The latest time at which the frame begins.
    mutating func hold(_ packet: MediaPacket, decoded: MediaTime?, limit: MediaTime) {
        held.append(packet)
        guard isSearching, let shown = packet.pts else { return end() }
        if shown <= limit, shown >= leading ?? .min {
            leading = shown
            ready = held.count - 1
        }
        // All packets that follow are shown at this time or later.
        if decoded ?? .min > limit || held.count - ready > 2 * FirstFrameSearch.mostReordered { end() }
    }

    /// Ends the search, so that all packets can be taken.
    mutating func end() {
        isSearching = false
        ready = held.count
    }

    /// Returns the first packet; nil if none can be taken.
    mutating func take() -> MediaPacket? {
        guard ready > 0 else { return nil }
        ready -= 1
        return held.removeFirst()
    }
}
