/// Layers are compared by identity.
extension CALayer: Hashable {
    public static func == (a: CALayer, b: CALayer) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
