import Filters
import Foundation

/// A property that a key path names, with access to it in a layer's values.
struct LayerProperty: Sendable {
    let keyPath: String
    let kind: AnimationValue.Kind
    /// Reads the value, or returns nil if a layer of this type does not have the property.
    let get: @Sendable (LayerValues) -> AnimationValue?
    /// Writes a value of `kind`. Values of another kind are ignored.
    let set: @Sendable (inout LayerValues, AnimationValue) -> Void

    static let all: [String: LayerProperty] = {
        var all: [String: LayerProperty] = [:]
        for property in geometry + looks + shapes + gradients + texts { all[property.keyPath] = property }
        return all
    }()

    private static func number(
        _ name: String, _ get: @escaping @Sendable (LayerValues) -> CGFloat?,
        _ set: @escaping @Sendable (inout LayerValues, CGFloat) -> Void
    ) -> LayerProperty {
        LayerProperty(
            keyPath: name, kind: .number, get: { get($0).map { .number(Double($0)) } },
            set: { if case .number(let n) = $1 { set(&$0, CGFloat(n)) } })
    }
    private static func color(
        _ name: String, _ has: @escaping @Sendable (LayerValues) -> Bool,
        _ get: @escaping @Sendable (LayerValues) -> CGColor?,
        _ set: @escaping @Sendable (inout LayerValues, CGColor) -> Void
    ) -> LayerProperty {
        LayerProperty(
            keyPath: name, kind: .color, get: { has($0) ? .color(get($0) ?? .clear) : nil },
            set: { if case .color(let c) = $1 { set(&$0, c) } })
    }
    private static func point(
        _ name: String, _ get: @escaping @Sendable (LayerValues) -> CGPoint?,
        _ set: @escaping @Sendable (inout LayerValues, CGPoint) -> Void
    ) -> [LayerProperty] {
        [
            LayerProperty(
                keyPath: name, kind: .point, get: { get($0).map { .point($0) } },
                set: { if case .point(let p) = $1 { set(&$0, p) } }),
            number(name + ".x", { get($0)?.x }, { v, n in if let p = get(v) { set(&v, CGPoint(x: n, y: p.y)) } }),
            number(name + ".y", { get($0)?.y }, { v, n in if let p = get(v) { set(&v, CGPoint(x: p.x, y: n)) } }),
        ]
    }
    private static func size(
        _ name: String, _ get: @escaping @Sendable (LayerValues) -> CGSize,
        _ set: @escaping @Sendable (inout LayerValues, CGSize) -> Void
    ) -> [LayerProperty] {
        [
            LayerProperty(
                keyPath: name, kind: .size, get: { .size(get($0)) }, set: { if case .size(let s) = $1 { set(&$0, s) } }),
            number(name + ".width", { get($0).width }, { v, n in set(&v, CGSize(width: n, height: get(v).height)) }),
            number(name + ".height", { get($0).height }, { v, n in set(&v, CGSize(width: get(v).width, height: n)) }),
        ]
    }
    private static func part(
        _ name: String, _ get: @escaping @Sendable (TransformParts) -> CGFloat,
        _ set: @escaping @Sendable (inout TransformParts, CGFloat) -> Void
    ) -> LayerProperty {
        number("transform." + name, { get($0.transform.shownParts) }, { v, n in v.transform.withParts { set(&$0, n) } })
    }

    private static let geometry: [LayerProperty] =
        point("position", { $0.position }, { $0.position = $1 })
        + point("anchorPoint", { $0.anchorPoint }, { $0.anchorPoint = $1 })
        + point("bounds.origin", { $0.bounds.origin }, { $0.bounds.origin = $1 })
        + size("bounds.size", { $0.bounds.size }, { $0.bounds.size = $1 })
        + size(
            "transform.translation",
            { CGSize(width: $0.transform.shownParts.translation.x, height: $0.transform.shownParts.translation.y) },
            { v, s in v.transform.withParts { ($0.translation.x, $0.translation.y) = (s.width, s.height) } }
        ).prefix(1)
        + [
            LayerProperty(
                keyPath: "bounds", kind: .rect, get: { .rect($0.bounds) },
                set: { if case .rect(let r) = $1 { $0.bounds = r } }),
            LayerProperty(
                keyPath: "transform", kind: .transform, get: { .transform($0.transform.shown) },
                set: { if case .transform(let t) = $1 { $0.transform.whole = t } }),
            part("rotation", { $0.rotation.z }, { $0.rotation.z = $1 }),
            part("rotation.x", { $0.rotation.x }, { $0.rotation.x = $1 }),
            part("rotation.y", { $0.rotation.y }, { $0.rotation.y = $1 }),
            part("rotation.z", { $0.rotation.z }, { $0.rotation.z = $1 }),
            part("scale", { ($0.scale.x + $0.scale.y) / 2 }, { $0.scale = ($1, $1, $1) }),
            part("scale.x", { $0.scale.x }, { $0.scale.x = $1 }),
            part("scale.y", { $0.scale.y }, { $0.scale.y = $1 }),
            part("scale.z", { $0.scale.z }, { $0.scale.z = $1 }),
            part("translation.x", { $0.translation.x }, { $0.translation.x = $1 }),
            part("translation.y", { $0.translation.y }, { $0.translation.y = $1 }),
            part("translation.z", { $0.translation.z }, { $0.translation.z = $1 }),
            number("zPosition", { $0.zPosition }, { $0.zPosition = $1 }),
        ]
    private static let looks: [LayerProperty] =
        size("shadowOffset", { $0.shadow.offset }, { $0.shadow.offset = $1 }) + [
            number("opacity", { $0.opacity }, { $0.opacity = min(max($1, 0), 1) }),
            color("backgroundColor", { _ in true }, { $0.backgroundColor }, { $0.backgroundColor = $1 }),
            color("borderColor", { _ in true }, { $0.border.color }, { $0.border.color = $1 }),
            number("borderWidth", { $0.border.width }, { $0.border.width = max(0, $1) }),
            number("cornerRadius", { $0.cornerRadius }, { $0.cornerRadius = max(0, $1) }),
            color("shadowColor", { _ in true }, { $0.shadow.color }, { $0.shadow.color = $1 }),
            number("shadowOpacity", { $0.shadow.opacity }, { $0.shadow.opacity = min(max($1, 0), 1) }),
            number("shadowRadius", { $0.shadow.radius }, { $0.shadow.radius = max(0, $1) }),
            LayerProperty(
                keyPath: "shadowPath", kind: .path, get: { .path($0.shadow.path ?? PathData()) },
                set: { if case .path(let p) = $1 { $0.shadow.path = p } }),
        ]
    private static let shapes: [LayerProperty] = [
        LayerProperty(
            keyPath: "path", kind: .path, get: { v in v.shape.map { .path($0.path ?? PathData()) } },
            set: { if case .path(let p) = $1 { $0.shape?.path = p } }),
        color("fillColor", { $0.shape != nil }, { $0.shape?.fillColor }, { $0.shape?.fillColor = $1 }),
        color("strokeColor", { $0.shape != nil }, { $0.shape?.strokeColor }, { $0.shape?.strokeColor = $1 }),
        number("strokeStart", { $0.shape?.strokeStart }, { $0.shape?.strokeStart = min(max($1, 0), 1) }),
        number("strokeEnd", { $0.shape?.strokeEnd }, { $0.shape?.strokeEnd = min(max($1, 0), 1) }),
        number("lineWidth", { $0.shape?.lineWidth }, { $0.shape?.lineWidth = max(0, $1) }),
        number("miterLimit", { $0.shape?.miterLimit }, { $0.shape?.miterLimit = $1 }),
        number("lineDashPhase", { $0.shape?.lineDashPhase }, { $0.shape?.lineDashPhase = $1 }),
    ]
    private static let gradients: [LayerProperty] =
        point("startPoint", { $0.gradient?.startPoint }, { $0.gradient?.startPoint = $1 })
        + point("endPoint", { $0.gradient?.endPoint }, { $0.gradient?.endPoint = $1 })
        + [
            LayerProperty(
                keyPath: "colors", kind: .colors, get: { v in v.gradient.map { .colors($0.colors) } },
                set: { if case .colors(let c) = $1 { $0.gradient?.colors = c } }),
            LayerProperty(
                keyPath: "locations", kind: .numbers,
                get: { v in v.gradient.map { .numbers($0.places.map { Double($0) }) } },
                set: { if case .numbers(let n) = $1 { $0.gradient?.locations = n.map { CGFloat($0) } } }),
        ]
    private static let texts: [LayerProperty] = [
        color("foregroundColor", { $0.text != nil }, { $0.text?.foregroundColor }, { $0.text?.foregroundColor = $1 }),
        number("fontSize", { $0.text?.fontSize }, { $0.text?.fontSize = min(max($1, 0), 4096) }),
    ]
}
