import Foundation
@_spi(Graph) import ViewGraph

/// What a view stands for among the options of a picker, or the pages of a tab view.
struct Tag {
    let value: Any

    /// The tag as a value of `type`; one of its optional, or of what it is an optional of, is taken too.
    func value<V: Hashable>(as type: V.Type) -> V? { value as? V }

    /// Without optionals around it, so that `1` and `Optional(1)` name the same.
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
    /// What this view is called in a selection: of a list, of a tab view; and what it stands for as an option of a
    /// `Picker`: a value of the selection's type, or of its optional. In a `ForEach` an option without a tag stands for
    /// its element's identity.
    public func tag(_ tag: any Hashable, includeOptional: Bool = true) -> some View {
        elementModifier(TraitModifier(value: Tag(value: tag)))
    }
}

/// The elements that a fiber contributes, with what each stands for.
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
