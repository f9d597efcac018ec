import Foundation

/// A filter for images: its name and its parameters. Mirrors Core Image's type of the same name.
///
/// A filter describes an effect and draws nothing itself. It belongs to the actor that created it, usually the main
/// actor. The `CIImage` that it returns is safe on any thread. An app defines its own filters by subclassing, and by
/// chaining other filters:
///
/// ```swift
/// final class GlowFilter: CIFilter {
///     override var outputImage: CIImage? {
///         inputImage?
///             .applyingFilter("CIEdges", parameters: [kCIInputIntensityKey: 2])
///             .applyingFilter("CIBloom")
///     }
/// }
/// ```
///
/// The `outputImage` of a subclass is requested for each frame, so it may change with time.
open class CIFilter: CIFilterProtocol {
    /// The name in the catalog, such as `CIGaussianBlur`, or the type name of a subclass.
    public let name: String
    /// The problems of the values that were set: unknown keys, and values of a wrong type.
    public private(set) var problems: [String] = []
    let definition: FilterDefinition?
    private(set) var values: [String: Any] = [:]

    /// Creates a filter of a subclass, with the name of its type.
    public init() {
        name = String(describing: Self.self)
        definition = nil
    }

    /// Creates a filter of the catalog. Returns nil if `name` is not in the catalog (`filterNames(inCategory:)`).
    public convenience init?(name: String) { self.init(name: name, parameters: nil) }

    /// Creates a filter of the catalog with parameters. Returns nil if `name` is not in the catalog.
    ///
    /// ```swift
    /// if let blur = CIFilter(name: "CIGaussianBlur", parameters: [kCIInputRadiusKey: 12]) {
    ///     command = .filter(blur)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the filter in the catalog.
    ///   - parameters: The parameters to set, as `setValue(_:forKey:)` sets them.
    public init?(name: String, parameters: [String: Any]?) {
        guard let definition = FilterCatalog.definition(name) else { return nil }
        self.name = name
        self.definition = definition
        for (key, value) in parameters ?? [:] { take(value, forKey: key) }
    }

    /// Creates a filter with a name that the caller chooses.
    init(named name: String) {
        self.name = name
        definition = nil
    }

    /// Whether the filter is in the catalog, so that its recipe depends only on its parameters.
    package var isBuiltIn: Bool { definition != nil }

    init(_ definition: FilterDefinition) {
        name = definition.name
        self.definition = definition
    }

    /// Sets a parameter. Nil removes the value, so that the parameter has its default.
    ///
    /// Numbers of all types are stored as `Double`. A value of a wrong type has the effect of nil, and `problems`
    /// reports it. For a filter of the catalog, `problems` also reports an unknown key, whose value is stored and
    /// ignored.
    ///
    /// If the key begins with `input` and a subclass has a stored property of that name, such as
    /// `var inputImage: CIImage?`, that property is set instead. A value of a wrong type leaves the property unchanged,
    /// and `problems` reports it.
    ///
    /// ```swift
    /// let vignette = CIFilter(name: "CIVignette")
    /// vignette?.setValue(1.5, forKey: kCIInputIntensityKey)
    /// ```
    ///
    /// - Parameters:
    ///   - value: A number, `CIVector`, `CGPoint`, `CGSize`, `CGRect`, `[CGFloat]`, `CIColor`, `CGAffineTransform`,
    ///     `CIImage`, `Data` or `String`.
    ///   - key: The key of the parameter.
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

    /// Returns the value of a parameter, or nil if it is not set. Numbers are `Double`, except in stored properties of
    /// a subclass.
    open func value(forKey key: String) -> Any? {
        if definition == nil, let property = StoredInput(of: self, named: key) { property.value } else { values[key] }
    }

    /// Sets every parameter that has a default to its default, and clears `problems`.
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

    // MARK: Images

    /// The filtered image. Nil if a required image is missing. A subclass overrides this property; if it does not, the
    /// result is the input image.
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

    // MARK: Description

    /// The keys of the parameters. `inputImage` is first if the filter has it.
    open var inputKeys: [String] { definition?.parameters.map(\.key) ?? [kCIInputImageKey] }
    /// The keys of the results: only `outputImage`, unless a subclass overrides the property.
    open var outputKeys: [String] { [kCIOutputImageKey] }

    /// The attributes of the filter, with Core Image's keys (`kCIAttribute…`).
    ///
    /// The dictionary contains the names and the categories of the filter. For each parameter, it contains a dictionary
    /// with the class, type, default, minimum and maximum.
    ///
    /// For example, to show a slider with a suitable range:
    /// ```swift
    /// let exposure = CIFilter.exposureAdjust()
    /// let parameter = exposure.attributes[kCIInputEVKey] as? [String: Any]
    /// let range = (parameter?[kCIAttributeSliderMin], parameter?[kCIAttributeSliderMax])
    /// ```
    open var attributes: [String: Any] {
        guard let definition else {
            return [
                kCIAttributeFilterName: name, kCIAttributeFilterDisplayName: name,
                kCIAttributeFilterCategories: [String](),
            ]
        }
        return FilterCatalog.attributes(of: definition)
    }

    /// Returns the sorted names of the filters in a category, such as `kCICategoryBlur`. Nil means all filters.
    ///
    /// ```swift
    /// for name in CIFilter.filterNames(inCategory: kCICategoryBlur) {
    ///     print(name, CIFilter.localizedName(forFilterName: name) ?? "")
    /// }
    /// ```
    public class func filterNames(inCategory category: String?) -> [String] {
        filterNames(inCategories: category.map { [$0] })
    }

    /// Returns the sorted names of the filters that are in all `categories`. Nil or an empty array means all filters.
    public class func filterNames(inCategories categories: [String]?) -> [String] {
        FilterCatalog.all.filter { definition in
            let filterCategories = FilterCatalog.categories(of: definition)
            return (categories ?? []).allSatisfy { filterCategories.contains($0) }
        }.map(\.name).sorted()
    }

    /// Returns the name to display, such as `Sepia Tone`. Returns nil for a name that is not in the catalog.
    public class func localizedName(forFilterName name: String) -> String? {
        FilterCatalog.definition(name)?.displayName
    }

    /// Returns the name to display for a category such as `kCICategoryColorEffect`. Returns an unknown name unchanged.
    public class func localizedName(forCategory category: String) -> String { FilterCatalog.categoryName(category) }

    /// Returns a copy with the same parameters, which later changes of this filter do not affect.
    ///
    /// A filter of a subclass returns itself, because only the subclass knows its contents.
    package func snapshot() -> CIFilter {
        guard let definition, type(of: self) == CIFilter.self || self is BuiltInFilter else { return self }
        let copy = self is BuiltInFilter ? BuiltInFilter(definition) : CIFilter(definition)
        copy.values = values
        copy.problems = problems
        return copy
    }
}

extension CIFilter: Equatable {
    /// Returns whether two filters have the same name and equal parameters.
    ///
    /// The stored properties of a subclass are compared too. Values that are not `Equatable` are equal only if they are
    /// the same object.
    public static func == (a: CIFilter, b: CIFilter) -> Bool {
        if a === b { return true }
        guard a.name == b.name, a.values.count == b.values.count, a.definition != nil || type(of: a) == type(of: b)
        else { return false }
        guard a.values.allSatisfy({ key, value in b.values[key].map { FilterValue.isSame(value, $0) } ?? false }) else {
            return false
        }
        if a.definition != nil { return true }
        let own = a.ownProperties
        let theirs = b.ownProperties
        return own.count == theirs.count && zip(own, theirs).allSatisfy { FilterValue.isSame($0, $1) }
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
    /// The name and the parameters that were set, sorted by key, for logs.
    public var description: String {
        ([name] + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }
}
