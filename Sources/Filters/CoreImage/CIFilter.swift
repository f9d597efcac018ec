import Foundation

/// A filter for pictures: its name and its parameters. Core Image's type.
///
/// Holds what to do, draws nothing itself. It belongs to who made it, the main actor as a rule; the `CIImage` it gives
/// out is safe everywhere. An app makes filters of its own by subclassing and chaining others:
///
///     final class GlowFilter: CIFilter {
///         override var outputImage: CIImage? {
///             inputImage?.applyingFilter("CIEdges", parameters: [kCIInputIntensityKey: 2]).applyingFilter("CIBloom")
///         }
///     }
///
/// A subclass's `outputImage` is asked for with each picture, so that it may change with time.
open class CIFilter: CIFilterProtocol {
    /// As the catalogue has it, `CIGaussianBlur`; a subclass's own type name.
    public let name: String
    /// What was set that this filter cannot use: a key it does not have, a value of the wrong type.
    public private(set) var problems: [String] = []
    let definition: FilterDefinition?
    private(set) var values: [String: Any] = [:]

    /// For subclasses.
    public init() {
        name = String(describing: Self.self)
        definition = nil
    }

    /// - Returns: nil for a name that is not in the catalogue (`filterNames(inCategory:)`).
    public convenience init?(name: String) { self.init(name: name, parameters: nil) }

    /// - Parameter parameters: as by `setValue(_:forKey:)`.
    public init?(name: String, parameters: [String: Any]?) {
        guard let definition = FilterCatalogue.definition(name) else { return nil }
        self.name = name
        self.definition = definition
        for (key, value) in parameters ?? [:] { take(value, forKey: key) }
    }

    /// For filters that are named by who makes them.
    init(named name: String) {
        self.name = name
        definition = nil
    }

    /// Its recipe is the catalogue's, and depends on its parameters only.
    package var isBuiltIn: Bool { definition != nil }

    init(_ definition: FilterDefinition) {
        name = definition.name
        self.definition = definition
    }

    /// Sets a parameter; nil removes it, after which it is the standard one.
    ///
    /// Numbers of every kind are kept as `Double`. A value of a type that the parameter cannot be is not kept and
    /// told in `problems`, as is a key that the filter does not have (the value is kept, and ignored).
    /// A stored property of a subclass that has the key's name, `var inputImage: CIImage?`, is set instead.
    /// - Parameter value: a number, `CIVector`, `CGPoint`, `CGSize`, `CGRect`, `[CGFloat]`, `CIColor`,
    ///   `CGAffineTransform`, `CIImage`, `Data` or `String`.
    open func setValue(_ value: Any?, forKey key: String) {
        if definition == nil, let property = StoredInput(of: self, named: key) {
            if !property.set(value) {
                report(
                    "\(name) stores “\(key)” as \(property.type), but the value is “\(value.map { "\($0)" } ?? "nil")”")
            }
        } else {
            take(value, forKey: key)
        }
    }

    /// Nil for a parameter that was not set. Numbers are `Double`, those that a subclass keeps itself as it keeps them.
    open func value(forKey key: String) -> Any? {
        if definition == nil, let property = StoredInput(of: self, named: key) { property.value } else { values[key] }
    }

    /// Sets every parameter that has a standard value to it.
    open func setDefaults() {
        for parameter in definition?.parameters ?? [] { values[parameter.key] = parameter.standardValue }
        problems = []
    }

    private func take(_ value: Any?, forKey key: String) {
        guard let value, !(value is NSNull) else {
            values[key] = nil
            return
        }
        let plain = FilterValue.plain(value)
        if let definition {
            if let parameter = definition.parameters.first(where: { $0.key == key }) {
                guard FilterValue.argument(plain, for: parameter) != nil else {
                    values[key] = nil
                    report(
                        "\(name) requires \(parameter.kind.sentence) for “\(key)”, but the value is “\(value)” (\(type(of: value)))"
                    )
                    return
                }
            } else {
                report("\(name) has no parameter “\(key)”; its parameters are \(inputKeys.joined(separator: ", "))")
            }
        }
        values[key] = plain
    }

    private func report(_ problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    // MARK: Pictures

    /// The filtered picture; nil when a picture it needs is missing.
    open var outputImage: CIImage? {
        guard let definition else { return inputImage }
        return definition.make(arguments(of: definition))
    }

    func arguments(of definition: FilterDefinition) -> FilterArguments {
        var arguments: [String: FilterArguments.Value] = [:]
        for parameter in definition.parameters {
            let given = values[parameter.key].flatMap { FilterValue.argument($0, for: parameter) }
            arguments[parameter.key] = given ?? parameter.standardArgument
        }
        return FilterArguments(arguments)
    }

    // MARK: What it is

    /// Names of its parameters, `inputImage` first where it takes one.
    open var inputKeys: [String] { definition?.parameters.map(\.key) ?? [kCIInputImageKey] }
    /// Names of what it gives out: `outputImage` alone, unless a subclass says more.
    open var outputKeys: [String] { [kCIOutputImageKey] }

    /// What Core Image's `attributes` tells: the filter's names and categories, and for each parameter a dictionary of
    /// its class, type, standard, least and greatest value (`kCIAttribute…`).
    open var attributes: [String: Any] {
        guard let definition else {
            return [
                kCIAttributeFilterName: name, kCIAttributeFilterDisplayName: name,
                kCIAttributeFilterCategories: [String](),
            ]
        }
        return FilterCatalogue.attributes(of: definition)
    }

    /// Names of the filters in a category (`kCICategoryBlur`…), sorted; nil: of all.
    public class func filterNames(inCategory category: String?) -> [String] {
        filterNames(inCategories: category.map { [$0] })
    }

    /// Names of the filters that are in all these categories, sorted.
    public class func filterNames(inCategories categories: [String]?) -> [String] {
        FilterCatalogue.all.filter { definition in
            let its = FilterCatalogue.categories(of: definition)
            return (categories ?? []).allSatisfy { its.contains($0) }
        }.map(\.name).sorted()
    }

    /// `Sepia Tone`; nil for a name that is not in the catalogue.
    public class func localizedName(forFilterName name: String) -> String? {
        FilterCatalogue.definition(name)?.displayName
    }

    /// `kCICategoryColorEffect` as people call it; the name itself when it is not known.
    public class func localizedName(forCategory category: String) -> String { FilterCatalogue.categoryName(category) }

    /// A filter of its own with the same parameters, which later changes of this one do not reach. A subclass, of which
    /// only its author knows what it holds, is itself.
    package func snapshot() -> CIFilter {
        guard let definition, type(of: self) == CIFilter.self || self is BuiltInFilter else { return self }
        let copy = self is BuiltInFilter ? BuiltInFilter(definition) : CIFilter(definition)
        copy.values = values
        copy.problems = problems
        return copy
    }
}

extension CIFilter: Equatable {
    /// The same name and equal parameters; of a subclass also its own stored properties. What knows no equality is
    /// equal to itself only as an object.
    public static func == (a: CIFilter, b: CIFilter) -> Bool {
        if a === b { return true }
        guard a.name == b.name, a.values.count == b.values.count, a.definition != nil || type(of: a) == type(of: b)
        else { return false }
        guard a.values.allSatisfy({ key, value in b.values[key].map { FilterValue.isSame(value, $0) } ?? false }) else {
            return false
        }
        if a.definition != nil { return true }
        let mine = a.ownProperties
        let theirs = b.ownProperties
        return mine.count == theirs.count && zip(mine, theirs).allSatisfy { FilterValue.isSame($0, $1) }
    }

    private var ownProperties: [Any] {
        var found: [Any] = []
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror, level.subjectType != CIFilter.self {
            found += level.children.map(\.value)
            mirror = level.superclassMirror
        }
        return found
    }
}

extension CIFilter: CustomStringConvertible {
    /// Its name and the parameters that were set, sorted by key; for logs.
    public var description: String {
        ([name] + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }
}
