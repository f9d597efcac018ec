import Foundation
import MediaCore

/// Conversions of parameter values from the types that apps set to the types that recipes use.
enum FilterValue {
    /// Returns numbers of all types as `Double`, and other values unchanged.
    static func plain(_ value: Any) -> Any {
        // Check for objects first, because an NSNumber of 1 would also convert to `true`.
        if type(of: value) is AnyClass { return (value as? NSNumber)?.doubleValue ?? value }
        return switch value {
        case let bool as Bool: bool
        case let number as any BinaryInteger: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        default: value
        }
    }

    /// Returns the value of a parameter, clamped to its range. Returns nil if `value` has the wrong type or is not a
    /// number (NaN).
    static func argument(_ value: Any, for parameter: FilterParameter) -> FilterArguments.Value? {
        switch parameter.kind {
        case .number:
            guard var number = (value as? Double) ?? (value as? Bool).map({ $0 ? 1 : 0 }), !number.isNaN else {
                return nil
            }
            if let least = parameter.minimum { number = max(number, least) }
            if let greatest = parameter.maximum { number = min(number, greatest) }
            return .number(number)
        case .vector:
            guard let numbers = vector(value), numbers.allSatisfy({ !$0.isNaN }) else { return nil }
            return .vector(numbers)
        case .color: return color(value).map { .color($0) }
        case .transform: return transform(value)
        case .image: return (value as? CIImage).map { .image($0) }
        case .data: return ((value as? Data).map { [UInt8]($0) } ?? (value as? [UInt8])).map { .data($0) }
        case .text: return (value as? String).map { .text($0) }
        }
    }

    private static func vector(_ value: Any) -> [Double]? {
        switch value {
        case let vector as CIVector: vector.values.map(Double.init)
        case let point as CGPoint: [Double(point.x), Double(point.y)]
        case let size as CGSize: [Double(size.width), Double(size.height)]
        case let rect as CGRect: [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height].map(Double.init)
        case let list as [CGFloat]: list.map(Double.init)
        case let list as [Double]: list
        case let list as [Float]: list.map(Double.init)
        case let list as [Int]: list.map(Double.init)
        case let list as [Any]:
            list.compactMap { plain($0) as? Double }.count == list.count
                ? list.compactMap { plain($0) as? Double } : nil
        default: nil
        }
    }

    private static func color(_ value: Any) -> SIMD4<Float>? {
        if let color = value as? CIColor { return color.simd }
        // Three or four numbers are accepted as a color.
        guard let numbers = vector(value), (3...4).contains(numbers.count), numbers.allSatisfy({ !$0.isNaN }) else {
            return nil
        }
        return [Float(numbers[0]), Float(numbers[1]), Float(numbers[2]), numbers.count > 3 ? Float(numbers[3]) : 1]
    }

    private static func transform(_ value: Any) -> FilterArguments.Value? {
        if let t = value as? CGAffineTransform {
            return .transform(
                a: Double(t.a), b: Double(t.b), c: Double(t.c), d: Double(t.d), tx: Double(t.tx), ty: Double(t.ty))
        }
        guard let n = vector(value), n.count == 6 else { return nil }
        return .transform(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5])
    }

    static func isSame(_ a: Any, _ b: Any) -> Bool {
        ErasedEquality.areEqual(a, b) ?? ErasedEquality.areIdentical(a, b)
    }
}

extension FilterParameter {
    /// The type of a parameter's values.
    enum Kind {
        case number, vector, color, transform, image, data, text

        /// The class of the values in Core Image (`kCIAttributeClass`).
        var className: String {
            switch self {
            case .number: "NSNumber"
            case .vector: "CIVector"
            case .color: "CIColor"
            case .transform: "NSAffineTransform"
            case .image: "CIImage"
            case .data: "NSData"
            case .text: "NSString"
            }
        }
        var sentence: String {
            switch self {
            case .number: "a number"
            case .vector: "a CIVector, point, size, rectangle or list of numbers"
            case .color: "a CIColor"
            case .transform: "a CGAffineTransform"
            case .image: "a CIImage"
            case .data: "Data"
            case .text: "a String"
            }
        }
    }

    var kind: Kind {
        switch standard {
        case .number: .number
        case .vector: .vector
        case .color: .color
        case .transform: .transform
        case .text: .text
        case .none:
            switch type {
            case kCIAttributeTypeImage: .image
            case kCIAttributeTypeColor: .color
            case kCIAttributeTypeTransform: .transform
            case kCIAttributeTypePosition, kCIAttributeTypeOffset, kCIAttributeTypeRectangle: .vector
            case FilterParameter.dataType: .data
            case FilterParameter.textType: .text
            default: .number
            }
        }
    }

    /// The types of data and texts. Core Image has no attribute types for them, only classes.
    static let dataType = "NSData", textType = "NSString"

    /// The default as `CIFilter.setValue` accepts it. Nil without a default.
    var standardValue: Any? {
        switch standard {
        case .none: nil
        case .number(let number): number
        case .vector(let numbers): CIVector(values: numbers.map { CGFloat($0) })
        case .color(let color): CIColor(color)
        case .transform: CGAffineTransform.identity
        case .text(let text): text
        }
    }

    var standardArgument: FilterArguments.Value? {
        switch standard {
        case .none: nil
        case .number(let number): .number(number)
        case .vector(let numbers): .vector(numbers)
        case .color(let color): .color(color)
        case .transform: .transform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
        case .text(let text): .text(text)
        }
    }
}
