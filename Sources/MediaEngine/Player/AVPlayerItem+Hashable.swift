/// Items are equal if they are the same object, as on Apple platforms.
extension AVPlayerItem: Hashable {
    nonisolated public static func == (a: AVPlayerItem, b: AVPlayerItem) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
