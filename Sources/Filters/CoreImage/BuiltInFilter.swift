import Foundation
import MediaCore

/// The requirement of all typed filters, such as `CIFilter.sepiaTone()`. Numbers are clamped to the range of their
/// parameter.
///
/// ```swift
/// let sepia = CIFilter.sepiaTone()
/// sepia.intensity = 0.8
/// command = .filter(sepia)
/// ```
public protocol CIFilterProtocol: AnyObject {
    /// The filtered image. Nil if a required image is missing.
    var outputImage: CIImage? { get }
}

/// A filter of the catalog with its parameters as properties (`BuiltInFilterProperties`).
///
/// Each property reads and sets the value that `setValue(_:forKey:)` stores for its key. A parameter that is not set
/// has its default.
final class BuiltInFilter: CIFilter {
    override init(_ definition: FilterDefinition) { super.init(definition) }

    /// - Parameter name: The name of a filter in the catalog. A filter with another name changes nothing.
    convenience init(catalogued name: String) {
        let image = FilterParameter(kCIInputImageKey, kCIAttributeTypeImage)
        self.init(FilterCatalog.definition(name) ?? FilterDefinition(name, name, categories: [], [image]))
    }

    private func argument(_ key: String) -> FilterArguments.Value? {
        guard let parameter = definition?.parameters.first(where: { $0.key == key }) else { return nil }
        return value(forKey: key).flatMap { FilterValue.argument($0, for: parameter) } ?? parameter.standardArgument
    }

    func number(_ key: String) -> Float { if case .number(let number)? = argument(key) { Float(number) } else { 0 } }
    func vector(_ key: String) -> CIVector {
        if case .vector(let numbers)? = argument(key) {
            CIVector(values: numbers.map { CGFloat($0) })
        } else {
            CIVector(values: [])
        }
    }
    func color(_ key: String) -> CIColor {
        if case .color(let color)? = argument(key) { CIColor(color) } else { .clear }
    }
    func image(_ key: String) -> CIImage? { value(forKey: key) as? CIImage }
    func data(_ key: String) -> Data { if case .data(let bytes)? = argument(key) { Data(bytes) } else { Data() } }
    func transform(_ key: String) -> CGAffineTransform {
        guard case .transform(let a, let b, let c, let d, let tx, let ty)? = argument(key) else { return .identity }
        return CGAffineTransform(
            a: CGFloat(a), b: CGFloat(b), c: CGFloat(c), d: CGFloat(d), tx: CGFloat(tx), ty: CGFloat(ty))
    }

    func set(_ value: Any?, _ key: String) { setValue(value, forKey: key) }
    func set(_ point: CGPoint, _ key: String) { setValue(CIVector(cgPoint: point), forKey: key) }
    func set(_ rect: CGRect, _ key: String) { setValue(CIVector(cgRect: rect), forKey: key) }
}
