@_spi(Graph) import ViewGraph

/// The value that represents a view in the selection of a picker, a tab view or a list.
struct Tag {
    let value: Any

    /// Returns the tag as a value of `type`, or nil if it has another type. Either type may be the optional of the
    /// other.
    func value<V: Hashable>(as type: V.Type) -> V? { value as? V }

    /// The value without optionals around it, so that `1` and `Optional(1)` are equal.
    var plain: AnyHashable? { (value as? any Hashable).map { Tag.plain($0) } }

    static func plain<V: Hashable>(_ value: V) -> AnyHashable {
        if let optional = value as? any OptionalTag { return optional.plainTag ?? AnyHashable(value) }
        return AnyHashable(value)
    }
}

private protocol OptionalTag { var plainTag: AnyHashable? { get } }
extension Optional: OptionalTag where Wrapped: Hashable {
    fileprivate var plainTag: AnyHashable? { map { Tag.plain($0) } }
}

extension View {
    /// Sets the value that represents this view in the selection of a list, a tab view or a `Picker`.
    ///
    /// The value has the type of the selection. Either type may be the optional of the other. In a `ForEach`, the id of
    /// its element represents a view without a tag. `includeOptional` has no effect.
    public func tag(_ tag: any Hashable, includeOptional: Bool = true) -> some View {
        elementModifier(TraitModifier(value: Tag(value: tag)))
    }
}

/// Returns the elements that a fiber contributes, with their tags. Elements without a tag are omitted.
@MainActor
func taggedElements(_ fiber: _Fiber) -> [(element: Element, tag: Tag)] {
    var implied: [ObjectIdentifier: Tag] = [:]
    func walk(_ fiber: _Fiber) {
        guard let giver = fiber as? any IdentityGiver else { return fiber.children.forEach(walk) }
        for (id, child) in giver.identified {
            for element in child.elements { implied[ObjectIdentifier(element)] = Tag(value: id) }
            walk(child)
        }
    }
    walk(fiber)
    return fiber.elements.compactMap { element in
        (element.trait(Tag.self) ?? implied[ObjectIdentifier(element)]).map { (element, $0) }
    }
}
